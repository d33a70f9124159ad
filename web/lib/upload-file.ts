import { objectCacheSeconds, uploadHeldPercent } from '@ovation/contract/limits'
import { accessToken, doorAddress, publicKey } from './supabase.ts'
import { UploadError, type UploadFailure } from './upload-error.ts'

type Upload = {
  bucket: string
  /** Begins with the auth user's id. */
  path: string
  file: File
  /** Percent of the bytes that have left, held at 90 until the server has confirmed the file, then 100 (POST-35, D4). */
  onProgress?: (percent: number) => void
  signal?: AbortSignal
}

/** Without a single byte moving for this long, the connection is dead. */
const stallMs = 60_000

/**
 * Puts a file into a bucket, as storage-js does (`StorageFileApi.upload`), with the progress that `fetch` cannot tell.
 * @throws UploadError
 */
export async function uploadFile({ bucket, path, file, onProgress, signal }: Upload): Promise<void> {
  const body = new FormData()
  body.append('cacheControl', String(objectCacheSeconds))
  body.append('', file)

  const request = new XMLHttpRequest()
  request.open(
    'POST',
    `${doorAddress('storage')}/object/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`,
  )
  request.setRequestHeader('apikey', publicKey())
  request.setRequestHeader('authorization', `Bearer ${await accessToken()}`)
  request.setRequestHeader('x-upsert', 'false')
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) onProgress?.(Math.min(uploadHeldPercent, Math.floor((loaded / total) * 100)))
  })
  await sent(request, body, signal)
  onProgress?.(100)
}

function sent(request: XMLHttpRequest, body: FormData, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let stalled = false
    const stall = () => {
      stalled = true
      request.abort()
    }
    const abort = () => request.abort()
    let clock = setTimeout(stall, stallMs)
    const moved = () => {
      clearTimeout(clock)
      clock = setTimeout(stall, stallMs)
    }

    signal?.addEventListener('abort', abort)
    request.upload.addEventListener('progress', moved)
    request.addEventListener('loadend', () => {
      clearTimeout(clock)
      signal?.removeEventListener('abort', abort)
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadError(failureOf(request, stalled, signal)))
    })
    request.send(body)
  })
}

function failureOf(request: XMLHttpRequest, stalled: boolean, signal: AbortSignal | undefined): UploadFailure {
  if (stalled) return { kind: 'timeout' }
  if (signal?.aborted) return { kind: 'aborted' }
  if (request.status === 0) return { kind: 'network' }
  try {
    const { statusCode, message } = JSON.parse(request.responseText)
    return { kind: 'refused', status: Number(statusCode) || request.status, message }
  } catch {
    return { kind: 'refused', status: request.status }
  }
}
