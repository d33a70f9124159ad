import { objectCacheSeconds, resumableChunkBytes, uploadHeldPercent } from '@ovation/contract/limits'
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import type { FileUpload } from './file-upload.ts'
import { UploadError, type UploadFailure } from './upload-error.ts'

/** The server keeps what has arrived for a day. */
const keptMs = 23 * 3600 * 1000
/** A line that breaks is tried again for about two minutes. */
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000]

/**
 * Sends a file in pieces (TUS 1.0), so that a break costs the piece that was on its way and no more (POST-38, D4). With `resumes`, a
 * file that was begun before a reload goes on where it stopped, under the name that it had.
 * @returns the path at which it lies.
 * @throws UploadError
 */
export async function uploadResumably({
  bucket,
  path,
  file,
  onProgress,
  control,
  signal,
  resumes,
}: FileUpload): Promise<string> {
  const owner = path.split('/')[0] ?? ''
  return new Promise((resolve, reject) => {
    let before: PreviousUpload | undefined
    const upload = new Upload(file, {
      endpoint: `${apiUrl('storage')}/upload/resumable`,
      chunkSize: resumableChunkBytes,
      retryDelays,
      headers: { apikey: publicKey(), 'x-upsert': 'false' },
      metadata: {
        bucketName: bucket,
        objectName: path,
        contentType: file.type,
        cacheControl: String(objectCacheSeconds),
      },
      fingerprint: async () => ['ovation', bucket, owner, file.name, file.type, file.size, file.lastModified].join(' '),
      storeFingerprintForResuming: resumes === true,
      removeFingerprintOnSuccess: true,
      // A long upload outlives a token: each request carries the one of its time.
      onBeforeRequest: async (request) => request.setHeader('authorization', `Bearer ${await accessToken()}`),
      onProgress: (sent, total) => onProgress?.(Math.min(uploadHeldPercent, Math.floor((sent / total) * 100))),
      onShouldRetry: (error) => !isRefusal(error) && navigator.onLine,
      onSuccess: () => {
        stop()
        onProgress?.(100)
        resolve(before && upload.url === before.uploadUrl ? (before.metadata.objectName ?? path) : path)
      },
      onError: (error) => fail(failureOf(error)),
    })

    const fail = (failure: UploadFailure) => {
      stop()
      reject(new UploadError(failure))
    }
    const giveUp = () => {
      // What has arrived is taken back: nobody will ask for it.
      void upload.abort(true).catch(() => undefined)
      fail({ kind: 'aborted' })
    }
    const leave = () => {
      void upload.abort().catch(() => undefined)
      fail({ kind: 'aborted' })
    }
    // Until it has begun, the pause is waited for below: two starts would be two uploads.
    let begun = false
    const offPause = control?.onPause(() => {
      if (!begun || control.signal.aborted) return
      if (control.paused) void upload.abort()
      else upload.start()
    })
    control?.signal.addEventListener('abort', giveUp)
    signal?.addEventListener('abort', leave)
    const stop = () => {
      offPause?.()
      control?.signal.removeEventListener('abort', giveUp)
      signal?.removeEventListener('abort', leave)
    }

    const begin = async () => {
      // Given up while this code was still loading: no event tells it any more.
      if (control?.signal.aborted || signal?.aborted) return fail({ kind: 'aborted' })
      if (resumes) {
        before = (await upload.findPreviousUploads()).find(
          ({ creationTime }) => Date.parse(creationTime) > Date.now() - keptMs,
        )
        if (before) upload.resumeFromPreviousUpload(before)
      }
      await control?.resumed()
      if (control?.signal.aborted || signal?.aborted) return
      begun = true
      upload.start()
    }
    begin().catch(() => fail({ kind: 'network' }))
  })
}

const statusOf = (error: Error): number =>
  error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0

/** 409 and 423 pass: another request of the same upload is about to end. */
function isRefusal(error: Error): boolean {
  const status = statusOf(error)
  return status >= 400 && status < 500 && status !== 409 && status !== 423
}

function failureOf(error: Error): UploadFailure {
  const status = statusOf(error)
  if (status === 0) return { kind: 'network' }
  const body = error instanceof DetailedError ? (error.originalResponse?.getBody() ?? '') : ''
  try {
    const { statusCode, message } = JSON.parse(body)
    return { kind: 'refused', status: Number(statusCode) || status, message }
  } catch {
    return { kind: 'refused', status }
  }
}
