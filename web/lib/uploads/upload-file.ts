import { objectCacheSeconds, resumableUploadBytes, uploadHeldPercent } from '@ovation/contract/limits'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import { type FileUpload, vaultMetadata } from './file-upload.ts'
import { UploadError, type UploadFailure } from './upload-error.ts'

/** If no bytes move for this long, the connection is dead. */
const stallMs = 60_000

/**
 * Uploads a file to a bucket: large files in resumable chunks (POST-38), others in one request like storage-js
 * (`StorageFileApi.upload`), but with progress, which `fetch` can't report. A small file restarts after a pause.
 * @returns the path of the stored file.
 * @throws UploadError
 */
export async function uploadFile(upload: FileUpload): Promise<string> {
  if (upload.file.size > resumableUploadBytes) {
    const { uploadResumably } = await import('./upload-resumable.ts')
    return uploadResumably(upload)
  }
  for (;;) {
    await upload.control?.resumed()
    try {
      return await uploadAtOnce(upload)
    } catch (error) {
      if (!upload.control?.paused) throw error
    }
  }
}

async function uploadAtOnce({ bucket, path, file, onProgress, signal, control }: FileUpload): Promise<string> {
  const body = new FormData()
  body.append('cacheControl', String(objectCacheSeconds))
  const metadata = vaultMetadata({ bucket, file })
  if (metadata) body.append('metadata', metadata)
  body.append('', file)

  const request = new XMLHttpRequest()
  request.open('POST', `${apiUrl('storage')}/object/${bucket}/${path.split('/').map(encodeURIComponent).join('/')}`)
  request.setRequestHeader('apikey', publicKey())
  request.setRequestHeader('authorization', `Bearer ${await accessToken()}`)
  request.setRequestHeader('x-upsert', 'false')
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) onProgress?.(Math.min(uploadHeldPercent, Math.floor((loaded / total) * 100)))
  })
  const end = new AbortController()
  const offPause = control?.onPause(() => control.paused && end.abort())
  if (control?.paused) end.abort() // paused while the token loaded
  try {
    await sent(
      request,
      body,
      AbortSignal.any([end.signal, ...[signal, control?.signal].filter((one) => one !== undefined)]),
    )
  } finally {
    offPause?.()
  }
  onProgress?.(100)
  return path
}

function sent(request: XMLHttpRequest, body: FormData, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new UploadError({ kind: 'aborted' }))
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
