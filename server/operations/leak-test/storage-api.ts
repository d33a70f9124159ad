import { type Answer, type ApiClient, ask } from './api-client.ts'
import type { ApiProbe, Attempt } from './attempt.ts'
import type { Secret } from './scene.ts'
import { uploadPicture } from './upload-picture.ts'

type File = NonNullable<Secret['file']>

/** A file came, or a link to one. */
const given = ({ ok, type, text }: Answer) =>
  ok && (/^(image|video|audio|application\/octet-stream)/.test(type) || /"signedURL":\s*"/.test(text))

/** `/storage/v1`: every address that serves bytes, links to them, or copies of them, with the exact path. */
export const storageApi: ApiProbe = async (scene) =>
  scene.secrets.flatMap((secret) => {
    const { file } = secret
    if (!file) return []
    const attempt = (action: string, run: Attempt['run']): Attempt => ({ api: 'storage', secret, action, run })
    const at = `${file.bucket}/${file.path}`
    const folder = file.path.split('/')[0] ?? ''
    const reads = [
      `object/${at}`,
      `object/authenticated/${at}`,
      `object/public/${at}`,
      `object/public/${at}?download`,
      `object/${at}?versionId=1`,
      `object/info/${at}`,
      `object/info/authenticated/${at}`,
      `object/info/public/${at}`,
      `render/image/${at}?width=2000`,
      `render/image/authenticated/${at}?width=2000`,
      `render/image/public/${at}?width=2000`,
      `render/video/${at}`,
      // By a name that only looks like another one.
      `object/${file.bucket}/x/../${file.path}`,
      `object/${file.bucket}/x/%2e%2e/${file.path}`,
      `object/${file.bucket}//${file.path}`,
      `object/avatars/..%2f${file.bucket}/${file.path}`,
      `object/public/avatars/..%2f${file.bucket}%2f${encodeURIComponent(file.path)}`,
    ]
    return [
      ...reads.map((path) =>
        attempt(`GET ${path}`, async (visitor) => {
          const answer = await ask(visitor, `/storage/v1/${path}`)
          return given(answer) || (path.includes('/info/') && answer.ok)
        }),
      ),
      attempt(`GET object/${at} from the middle`, async (visitor) =>
        given(await ask(visitor, `/storage/v1/object/${at}`, { headers: { range: 'bytes=10-500' } })),
      ),
      attempt(
        `HEAD object/${at}`,
        async (visitor) => (await ask(visitor, `/storage/v1/object/${at}`, { method: 'HEAD' })).ok,
      ),
      attempt(`POST object/sign/${at}`, async (visitor) =>
        given(await ask(visitor, `/storage/v1/object/sign/${at}`, { body: { expiresIn: 60 } })),
      ),
      attempt(`POST object/sign/${at}, another size`, async (visitor) =>
        given(
          await ask(visitor, `/storage/v1/object/sign/${at}`, { body: { expiresIn: 60, transform: { width: 32 } } }),
        ),
      ),
      attempt(`POST object/sign/${file.bucket}`, async (visitor) =>
        given(
          await ask(visitor, `/storage/v1/object/sign/${file.bucket}`, { body: { expiresIn: 60, paths: [file.path] } }),
        ),
      ),
      attempt(`POST object/list/${file.bucket}`, async (visitor) => {
        const body = { prefix: folder, limit: 1000 }
        return (await ask(visitor, `/storage/v1/object/list/${file.bucket}`, { body })).text.includes(nameOf(file))
      }),
      attempt(`POST object/list-v2/${file.bucket}`, async (visitor) => {
        const body = { prefix: `${folder}/`, limit: 1000 }
        return (await ask(visitor, `/storage/v1/object/list-v2/${file.bucket}`, { body })).text.includes(nameOf(file))
      }),
      ...['copy', 'move'].map((verb) =>
        attempt(`POST object/${verb} of ${at} to the visitor's own folder`, (visitor) => carryOff(visitor, file, verb)),
      ),
      attempt(`GET ${at} by a link to another file`, (visitor) => stretch(visitor, file)),
      attempt(`GET ${at} by a stable link to another file`, (visitor) => stretch(visitor, file, stable)),
      attempt(`POST object/sign/${file.bucket}, for stable links`, async (visitor) =>
        given(
          await ask(visitor, `/storage/v1/object/sign/${file.bucket}`, {
            headers: stable,
            body: { expiresIn: 60, paths: [file.path] },
          }),
        ),
      ),
      attempt(`GET ${at} by S3`, async (visitor) => given(await ask(visitor, `/storage/v1/s3/${at}`))),
    ]
  })

const stable = { prefer: 'stable-links' }
const nameOf = ({ path }: File) => path.slice(path.indexOf('/') + 1)

/** A copy in the visitor's own folder could be read. Authorized users may not move another user's file, so it only counts for visitors. */
async function carryOff(visitor: ApiClient, file: File, verb: string): Promise<boolean> {
  const destinationKey = `${visitor.userId ?? 'nobody'}/taken.jpg`
  const { ok } = await ask(visitor, `/storage/v1/object/${verb}`, {
    body: { bucketId: file.bucket, sourceKey: file.path, destinationBucket: 'avatars', destinationKey },
  })
  return ok && !file.path.startsWith(`${visitor.userId}/`)
}

/** A signed link is bound to its path: this puts the token of the visitor's own file behind the addresses of another. */
async function stretch(visitor: ApiClient, file: File, headers: Record<string, string> = {}): Promise<boolean> {
  if (visitor.token === undefined) return false
  const own = await uploadPicture(visitor, 'avatars')
  const signed = await ask(visitor, '/storage/v1/object/sign/avatars', {
    headers,
    body: { expiresIn: 60, paths: [own] },
  })
  const token = /(?:token=|\/links\/)([^"&/]+)/.exec(signed.text)?.[1]
  if (token === undefined) throw new Error(`a link to the visitor's own picture was rejected: ${signed.text}`)
  const { name, url, anonKey } = visitor
  const at = `${file.bucket}/${file.path}`
  for (const path of [
    `object/sign/${at}?token=${token}`,
    `links/${token}/object/${at}`,
    `links/${token}/render/image/${at}?width=2000`,
  ])
    if (given(await ask({ name, url, anonKey }, `/storage/v1/${path}`))) return true
  return false
}
