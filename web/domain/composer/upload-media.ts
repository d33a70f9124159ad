import { videoSettleMs } from '@ovation/contract/limits'
import type { FileUpload } from '../../lib/uploads/file-upload.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { extensionOf, mediaTypeOf } from './file-rules.ts'

type Options = Pick<FileUpload, 'onProgress' | 'signal' | 'control'> & { userId: string }

const attempts = 3

/**
 * Uploads a photo or video to the user's folder in bucket `posts`, under a new name (API-STO-01, API-STO-02).
 * @returns its storage path.
 * @throws UploadError
 */
export async function uploadMedia(file: File, { userId, ...options }: Options): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const name = `${userId}/${Date.now()}-${crypto.randomUUID().slice(0, 8)}.${extensionOf(file)}`
    try {
      const path = await uploadFile({ ...options, bucket: 'posts', path: name, file, resumes: true })
      // POST-40
      if (mediaTypeOf(file) === 'video') await new Promise((resolve) => setTimeout(resolve, videoSettleMs))
      return path
    } catch (error) {
      if (!(error instanceof UploadError && error.isDuplicate) || attempt === attempts) throw error
    }
  }
}
