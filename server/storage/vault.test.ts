import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { buildCreator } from '../testing/people.ts'
import { buildDiskStore } from './disk-store.ts'
import { removeDeletedFiles } from './remove-deleted.ts'
import { filesBelow } from './testing/files-below.ts'
import { sendResumably } from './testing/tus-client.ts'

let gateway: TestGateway
let creator: Person
let fan: Person
let picture: Buffer
beforeAll(async () => {
  gateway = await startGateway()
  fan = await gateway.signUp()
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#b3123b' } })
    .jpeg()
    .toBuffer()
})
beforeEach(async () => {
  creator = await buildCreator(gateway)
})
afterAll(() => gateway?.close())

async function upload(bucket = 'posts') {
  const path = `${creator.userId}/${randomUUID()}.jpg`
  const { error } = await creator.client.storage
    .from(bucket)
    .upload(path, new Uint8Array(picture), { contentType: 'image/jpeg', metadata: { fileName: 'Curtain.jpg' } })
  expect(error).toBeNull()
  return path
}
const vaultOf = async (person: Person) => (await person.client.rpc('get_vault_files').throwOnError()).data ?? []
async function use(bucket: string) {
  const [file] = await vaultOf(creator)
  const { data } = await creator.client.rpc('use_vault_files', { file_ids: [String(file?.id)], bucket }).throwOnError()
  return String(data[0])
}
const contentOf = async (version: string) => filesBelow(gateway.dataDir, 'storage', 'objects').includes(version)
const versionOf = async (path: string) => {
  const [row] = await gateway.query<{ version: string }>('select version from storage.objects where name = $1', [path])
  return String(row?.version)
}
const removeDeleted = () =>
  removeDeletedFiles(gateway.services.database.service, buildDiskStore(join(gateway.dataDir, 'storage')))

it('lists an upload with its name, and reads it by a signed link', async () => {
  await upload()
  const [file] = await vaultOf(creator)
  expect(file).toMatchObject({
    name: 'Curtain.jpg',
    width: 40,
    height: 30,
    kind: 'image',
    size_bytes: expect.any(Number),
  })
  const { data } = await creator.client.storage.from('vault').createSignedUrl(String(file?.path), 60)
  const small = await fetch(`${data?.signedUrl.replace('/object/sign/', '/render/image/sign/')}&width=20`)
  expect(small.status).toBe(200)
  expect((await fan.client.storage.from('vault').createSignedUrl(String(file?.path), 60)).error).toMatchObject({
    message: 'Object not found',
  })
  expect(await vaultOf(fan)).toEqual([])
})

it('knows a file by its bytes as they were sent, through every protocol and in every bucket [VAULT-03]', async () => {
  const place = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#b3123b' } })
    .withExif({ IFD0: { Copyright: 'removed when it is stored' } })
    .jpeg()
    .toBuffer()
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const client = creator.client.storage.from('vault')
  const { error } = await client.upload(`${creator.userId}/${randomUUID()}.jpg`, new Uint8Array(place), {
    contentType: 'image/jpeg',
    metadata: { fileName: 'Curtain.jpg', sha256: hashOf(picture) },
  })
  expect(error).toBeNull()
  await upload('messages')
  const films = {
    mp4: Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'),
    webm: Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581', 'hex'),
  }
  const { session } = (await creator.client.auth.getSession()).data
  for (const [kind, head] of Object.entries(films)) {
    const film = Buffer.concat([head, randomBytes(200)])
    const { error: failure } = await sendResumably(film, {
      endpoint: `${gateway.url}/storage/v1/upload/resumable`,
      headers: { authorization: `Bearer ${session?.access_token}`, apikey: gateway.secrets.anonKey },
      chunkSize: 100,
      metadata: {
        bucketName: 'vault',
        objectName: `${creator.userId}/${randomUUID()}.${kind}`,
        contentType: `video/${kind}`,
        metadata: JSON.stringify({ fileName: `Film.${kind}` }),
      },
    })
    expect(failure).toBeUndefined()
    films[kind as keyof typeof films] = film
  }
  const known = async (hash: string) => {
    const { data } = await creator.client.from('vault_files').select('name').eq('sha256', hash).throwOnError()
    return data
  }
  expect(await known(hashOf(place))).toEqual([{ name: 'Curtain.jpg' }])
  expect(await known(hashOf(picture))).toHaveLength(1)
  expect(await known(hashOf(films.mp4))).toEqual([{ name: 'Film.mp4' }])
  expect(await known(hashOf(films.webm))).toEqual([{ name: 'Film.webm' }])
})

it('sends and stores a reused file only once [VAULT-02]', async () => {
  const path = await upload()
  const again = await use('messages')
  expect(await versionOf(again)).toBe(await versionOf(path))
  const { data } = await creator.client.storage.from('messages').download(again)
  expect(data?.size).toBeGreaterThan(0)
})

it('keeps the content while another row has it: after removing, overwriting, and deleting the post', async () => {
  const path = await upload()
  const version = await versionOf(path)
  const again = await use('posts')
  await creator.client.storage.from('posts').remove([path])
  expect(await contentOf(version)).toBe(true)

  const { data: post } = await creator.client
    .from('posts')
    .insert({ creator_id: creator.profileId, content: 'Look', media_urls: [again], media_types: ['image'] })
    .select('id')
    .single()
    .throwOnError()
  await creator.client.from('posts').delete().eq('id', post.id).throwOnError()
  await removeDeleted()
  expect(await contentOf(version)).toBe(true)

  const third = await use('posts')
  const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const { error } = await creator.client.storage
    .from('posts')
    .update(third, new Uint8Array(red), { contentType: 'image/jpeg' })
  expect(error).toBeNull()
  expect(await contentOf(version)).toBe(true)

  const [kept] = (await vaultOf(creator)).slice(-1)
  await gateway.service.storage.from('vault').remove([String(kept?.path)])
  expect(await contentOf(version)).toBe(false)
})

it('removes the content with the account', async () => {
  const path = await upload()
  const version = await versionOf(path)
  await use('posts')
  await gateway.query('select private.delete_account($1)', [creator.userId])
  await removeDeleted()
  expect(await contentOf(version)).toBe(false)
})
