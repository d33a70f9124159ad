import { videoSettleMs } from '@ovation/contract/limits'
import { UploadError } from '../../lib/upload-error.ts'
import { uploadFile } from '../../lib/upload-file.ts'
import { extensionOf, mediaTypeOf } from './file-rules.ts'

type Options = { userId: string; onProgress: (percent: number) => void; signal: AbortSignal }

const attempts = 3

/**
 * Puts a photo or video into the person's folder of bucket `posts`, under a name nobody has (API-STO-01, API-STO-02).
 * @returns its storage path.
 * @throws UploadError
 */
export async function uploadMedia(file: File, { userId, onProgress, signal }: Options): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const path = `${userId}/${Date.now()}-${crypto.randomUUID().slice(0, 8)}.${extensionOf(file)}`
    try {
      await uploadFile({ bucket: 'posts', path, file, onProgress, signal })
      // POST-40
      if (mediaTypeOf(file) === 'video') await new Promise((resolve) => setTimeout(resolve, videoSettleMs))
      return path
    } catch (error) {
      if (!(error instanceof UploadError && error.isDuplicate) || attempt === attempts) throw error
    }
  }
}
