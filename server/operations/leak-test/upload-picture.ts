import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Answer, ApiClient } from './api-client.ts'

/** A word that appears nowhere else in the installation. */
export const mark = () => `canary${randomBytes(12).toString('hex')}`

/** A green that no page of the product has. */
const color = '#00c840'

/** Uploads a picture into the user's own folder, like the web app: green, with grain. @returns its path in the bucket. */
export async function uploadPicture(author: ApiClient, bucket: string): Promise<string> {
  const size = { width: 64, height: 64, channels: 3 } as const
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
  const grain = await sharp({ create: { ...size, background: '#000', noise } })
    .png()
    .toBuffer()
  const picture = await sharp({ create: { ...size, background: color } })
    .composite([{ input: grain, blend: 'soft-light' }])
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

/** Whether an answer is a picture in which one of those can be seen: a hundredth of it is as green. */
export async function showsPicture({ ok, type, text }: Answer): Promise<boolean> {
  if (!ok || !type.startsWith('image/')) return false
  const { data, info } = await sharp(Buffer.from(text, 'latin1'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  let green = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const [red = 0, middle = 0, blue = 0] = data.subarray(at, at + 3)
    if (middle > 60 && middle > 2 * red && middle > 1.5 * blue) green += 1
  }
  return green * 100 > info.width * info.height
}
