import { objectCacheSeconds, uploadHeldPercent, videoSettleMs } from '@ovation/contract/limits'
import { appConfig } from '../../lib/config.ts'
import { supabase } from '../../lib/supabase.ts'
import { extensionOf, mediaTypeOf } from './file-rules.ts'
import { UploadError } from './upload-error.ts'

export type UploadOptions = {
  userId: string
  /** 0 to 90 by bytes sent, 100 once the server has confirmed (POST-35, D4). */
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/** Without a single byte moving for this long, the connection is dead. */
const stallMs = 60_000
const attempts = 3

/**
 * Puts one file into the person's folder of bucket `posts` (API-STO-01, API-STO-02).
 * @returns its storage path.
 * @throws UploadError
 */
export async function uploadFile(file: File, { userId, onProgress, signal }: UploadOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const path = `${userId}/${Date.now()}-${crypto.randomUUID().slice(0, 8)}.${extensionOf(file)}`
    try {
      await send(file, path, onProgress, signal)
      if (mediaTypeOf(file) === 'video') await new Promise((resolve) => setTimeout(resolve, videoSettleMs))
      onProgress(100)
      return path
    } catch (error) {
      // The name is taken: another one is free.
      if (!(error instanceof UploadError && error.isDuplicate) || attempt === attempts) throw error
    }
  }
}

/**
 * The request that storage-js makes, made with XMLHttpRequest: `fetch` tells nothing of an upload's progress.
 * Contract: storage-js `StorageFileApi.upload`.
 */
async function send(
  file: File,
  path: string,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const { data } = await supabase.auth.getSession()
  const { anonKey, supabaseUrl } = appConfig()
  const body = new FormData()
  body.append('cacheControl', String(objectCacheSeconds))
  body.append('', file)

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (failure: UploadError['failure']) => {
      clearTimeout(stall)
      reject(new UploadError(failure))
    }
    const abort = () => request.abort()
    let stalled = false
    let stall: ReturnType<typeof setTimeout>
    const watch = () => {
      clearTimeout(stall)
      stall = setTimeout(() => {
        stalled = true
        request.abort()
      }, stallMs)
    }

    request.upload.onprogress = ({ loaded, total }) => {
      watch()
      onProgress(Math.min(uploadHeldPercent, Math.round((loaded / total) * 100)))
    }
    request.onload = () => {
      clearTimeout(stall)
      signal.removeEventListener('abort', abort)
      if (request.status >= 200 && request.status < 300) resolve()
      else fail({ kind: 'refused', status: request.status, ...errorIn(request.responseText) })
    }
    request.onerror = () => fail({ kind: 'network' })
    request.onabort = () => fail({ kind: stalled ? 'timeout' : 'aborted' })

    signal.addEventListener('abort', abort, { once: true })
    request.open('POST', `${supabaseUrl}/storage/v1/object/posts/${path}`)
    request.setRequestHeader('apikey', anonKey)
    request.setRequestHeader('authorization', `Bearer ${data.session?.access_token ?? anonKey}`)
    request.setRequestHeader('x-upsert', 'false')
    watch()
    request.send(body)
  })
}

/** storage/v1 answers HTTP 400 for what means 409 or 413; `statusCode` in the body tells. */
function errorIn(text: string): { status?: number; error?: string; message?: string } {
  try {
    const { statusCode, error, message } = JSON.parse(text)
    const status = Number(statusCode)
    return { ...(status >= 400 && { status }), error, message }
  } catch {
    return {}
  }
}
