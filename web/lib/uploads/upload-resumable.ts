import { objectCacheSeconds, resumableChunkBytes, uploadHeldPercent } from '@ovation/contract/limits'
import { DetailedError, type PreviousUpload, Upload } from 'tus-js-client'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import { type FileUpload, vaultMetadata } from './file-upload.ts'
import { UploadError, type UploadFailure } from './upload-error.ts'

/** The server keeps partial uploads for a day. */
const keptMs = 23 * 3600 * 1000
/** Retries a broken connection for about two minutes. */
const retryDelays = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000]

/**
 * Uploads a file in chunks (TUS 1.0), so that an interruption costs only the current chunk (POST-38, D4). With `resumes`, an
 * upload that a reload interrupted continues where it stopped, under its earlier name.
 * @returns the path of the stored file.
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
  const named = vaultMetadata({ bucket, file })
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
        ...(named && { metadata: named }),
      },
      fingerprint: async () => ['ovation', bucket, owner, file.name, file.type, file.size, file.lastModified].join(' '),
      storeFingerprintForResuming: resumes === true,
      removeFingerprintOnSuccess: true,
      // A long upload outlives its token: each request carries the current one.
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
      // Deletes the uploaded part: nobody will resume it.
      void upload.abort(true).catch(() => undefined)
      fail({ kind: 'aborted' })
    }
    const leave = () => {
      void upload.abort().catch(() => undefined)
      fail({ kind: 'aborted' })
    }
    // Before the start, the code below waits for the end of the pause: starting here too would create two uploads.
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
      // Canceled while this code was loading: no event will report it.
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

/** 409 and 423 are temporary: another request of the same upload is about to end. */
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
