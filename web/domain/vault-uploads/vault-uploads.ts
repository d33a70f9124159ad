import { supabase } from '../../lib/api/supabase.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { extensionOf } from '../composer/file-rules.ts'
import { hashFile } from './hash-file.ts'
import { UploadQueue } from './upload-queue.ts'

/** Two videos are processed in about this time. */
const laterMs = 15_000

/** The uploads of the viewer's vault. */
export const vaultUploads = new UploadQueue({
  hash: hashFile,
  isKnown: async (sha256) => {
    const { data } = await supabase.from('vault_files').select('id').eq('sha256', sha256).limit(1).throwOnError()
    return data.length > 0
  },
  upload: (file, userId, options) =>
    uploadFile({
      ...options,
      bucket: 'vault',
      path: `${userId}/${crypto.randomUUID()}.${extensionOf(file)}`,
      file,
      resumes: true,
    }),
  online: async () => {
    if (!navigator.onLine) await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  },
  untilLater: () => new Promise((resolve) => setTimeout(resolve, laterMs)),
})
