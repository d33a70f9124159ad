import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { ApiClient } from './api-client.ts'

/** A word that appears nowhere else in the installation. */
export const mark = () => `canary${randomBytes(12).toString('hex')}`

/** Uploads a small picture into the user's own folder, like the web app. @returns its path in the bucket. */
export async function uploadPicture(author: ApiClient, bucket: string): Promise<string> {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#445566', noise } })
    .jpeg()
    .toBuffer()
  const path = `${author.userId}/${mark()}.jpg`
  const response = await fetch(new URL(`/storage/v1/object/${bucket}/${path}`, author.url), {
    method: 'POST',
    headers: { apikey: author.anonKey, authorization: `Bearer ${author.token}`, 'content-type': 'image/jpeg' },
    body: new Uint8Array(picture),
  })
  if (!response.ok) throw new Error(`a picture for ${bucket} was rejected: ${await response.text()}`)
  return path
}
