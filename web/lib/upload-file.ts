import { objectCacheSeconds, uploadHeldPercent } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { appConfig } from './config.ts'
import { supabase } from './supabase.ts'

type Upload = {
  bucket: string
  /** Begins with the auth user's id. */
  path: string
  file: File
  /** Percent of the bytes that have left, held at 90 until the server has confirmed the file, then 100 (POST-35, D4). */
  onProgress?: (percent: number) => void
  signal?: AbortSignal
}

/**
 * Puts a file into a bucket, as storage-js does, with the progress that `fetch` cannot tell.
 * @throws Error with the server's sentence, or one that tells that no server answered.
 */
export async function uploadFile({ bucket, path, file, onProgress, signal }: Upload): Promise<void> {
  const { supabaseUrl, anonKey } = appConfig()
  const { data } = await supabase.auth.getSession()
  const name = path.split('/').map(encodeURIComponent).join('/')
  const body = new FormData()
  body.append('cacheControl', String(objectCacheSeconds))
  body.append('', file)

  const request = new XMLHttpRequest()
  request.open('POST', `${supabaseUrl || window.location.origin}/storage/v1/object/${bucket}/${name}`)
  request.setRequestHeader('apikey', anonKey)
  request.setRequestHeader('authorization', `Bearer ${data.session?.access_token ?? anonKey}`)
  request.setRequestHeader('x-upsert', 'false')
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (total > 0) onProgress?.(Math.min(uploadHeldPercent, Math.floor((loaded / total) * 100)))
  })
  await sent(request, body, signal)
  onProgress?.(100)
}

function sent(request: XMLHttpRequest, body: FormData, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort()
    signal?.addEventListener('abort', abort)
    request.addEventListener('loadend', () => {
      signal?.removeEventListener('abort', abort)
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(signal?.aborted ? signal.reason : new Error(sentenceIn(request.responseText)))
    })
    request.send(body)
  })
}

function sentenceIn(text: string): string {
  try {
    return JSON.parse(text).message ?? commonTexts.offline
  } catch {
    return commonTexts.offline
  }
}
