import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let owner: Creator
let rival: Creator
let buyer: Person
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  ;[owner, rival, buyer, fan, admin] = [
    await world.buildCreator(),
    await world.buildCreator(),
    await world.buildPerson(),
    await world.buildPerson(),
    await world.buildAdmin(),
  ]
})
afterAll(() => world.close())

type File = { id: string; path: string; version: string }
async function upload(bucket = 'posts'): Promise<File> {
  const [path, version] = [`${owner.userId}/${randomUUID()}.jpg`, randomUUID()]
  await world.as(
    owner,
    'insert into storage.objects (bucket_id, name, owner, owner_id, metadata, version) values ($1, $2, $3, $4, $5, $6)',
    [bucket, path, owner.userId, owner.userId, { mimetype: 'image/jpeg', size: 1 }, version],
  )
  const [file] = await world.query('select id from public.vault_files where version = $1', [version])
  return { id: String(file?.id), path, version }
}
const remove = async (caller: Caller, files: readonly File[]) => {
  const [row] = await world.as(caller, 'select public.delete_vault_files($1) as files', [files.map(({ id }) => id)])
  return row?.files
}
const foresee = async (caller: Caller, files: readonly File[]) =>
  (await world.as(caller, 'select * from public.get_vault_removal($1)', [files.map(({ id }) => id)]))[0]
async function send(to: Person, file: File, { price = 0, text = 'Look' } = {}) {
  const [row] = await world.as(
    owner,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
     select $1, $2, $3, $4, $5, array[path], array['image'] from unnest(public.use_vault_files($6, 'messages')) path returning id`,
    [owner.profileId, to.profileId, text, price > 0, price, [file.id]],
  )
  return String(row?.id)
}
const unlock = (message: string, by: Person) =>
  world.as('service_role', `select private.post_message_unlock($1, $2, $3, $4, 500, 50, 'usd', now())`, [
    `pi_${randomUUID()}`,
    by.profileId,
    owner.profileId,
    message,
  ])
type Shown = { media_urls: string[]; media_types: string[]; media_count?: number; media_previews: unknown[] }
const shown = async (caller: Caller, id: string, view = 'posts') =>
  (await world.as(caller, `select * from public.${view} where id = $1`, [id]))[0] as unknown as Shown | undefined
const urls = async (caller: Caller, id: string, view = 'posts') => (await shown(caller, id, view))?.media_urls
const reads = async (caller: Caller, path: string) =>
  (await world.as(caller, 'select from storage.objects where name = $1', [path])).length === 1
/** Which the fast path of links opens. */
const opens = async (caller: Caller, path: string) =>
  (await world.as(caller, 'select from storage.open_post_files(array[$1])', [path])).length === 1
const rowsOf = async ({ version }: File) =>
  (await world.query('select bucket_id from storage.objects where version = $1', [version])).map((row) => row.bucket_id)
const sound = async () => expect(await books.problems()).toEqual([])

describe('deleting a file of the vault', () => {
  it('takes it out of posts, messages, and scheduled posts, and out of the store [VAULT-06]', async () => {
    const [gone, other] = [await upload(), await upload()]
    const { id: free } = await world.buildPost(owner, { media: [gone.path, other.path] })
    const [scheduled] = await world.as(
      owner,
      `insert into public.scheduled_posts (creator_id, content, media_urls, media_types, publish_at)
       select $1, 'Soon', array[path], array['image'], now() + interval '1 day' from unnest(public.use_vault_files($2, 'posts')) path returning id`,
      [owner.profileId, [gone.id]],
    )
    const [sent, locked] = [await send(fan, gone), await send(fan, gone, { price: 500 })]
    expect(await foresee(owner, [gone])).toEqual({
      posts: 2,
      messages: 2,
      buyers: 0,
      emptied_posts: 0,
      staying_files: 0,
      stories: 0,
    })
    expect(await remove(owner, [gone])).toBe(1)
    for (const caller of [owner, fan, 'anon', admin] as const)
      expect(await shown(caller, free)).toMatchObject({
        media_urls: [other.path],
        media_types: ['image'],
        media_count: 1,
        media_previews: [{}],
      })
    for (const message of [sent, locked])
      expect(await shown(owner, message, 'messages')).toMatchObject({ media_urls: [], media_types: [] })
    expect(await world.query('select media_urls from public.scheduled_posts where id = $1', [scheduled?.id])).toEqual([
      { media_urls: [] },
    ])
    expect(await rowsOf(gone)).toEqual([])
    expect(await world.query('select from private.storage_removals where version = $1', [gone.version])).toHaveLength(5)
    await sound()
  })

  it('leaves it to those who bought the post, under every access, and to nobody else [VAULT-06]', async () => {
    const [gone, other] = [await upload(), await upload()]
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [gone.path, other.path] })
    const sale = await books.buy(buyer, owner, post)
    expect(await foresee(owner, [gone])).toMatchObject({ posts: 1, buyers: 1 })
    expect(await remove(owner, [gone])).toBe(1)

    const kept = await urls(buyer, post)
    expect(kept).toEqual([expect.stringContaining(owner.userId), other.path])
    const path = String(kept?.[0])
    expect(path).not.toBe(gone.path) // no link from before opens it
    expect(await shown(buyer, post)).toMatchObject({
      media_types: ['image', 'image'],
      media_count: 2,
      media_previews: [{}, {}],
    })
    expect([await reads(buyer, path), await opens(buyer, path)]).toEqual([true, true])
    expect(await urls(owner, post)).toEqual([other.path])
    for (const caller of [fan, rival, 'anon'] as const) {
      expect(await shown(caller, post)).toMatchObject({ media_urls: [], media_types: ['image'], media_count: 1 })
      expect([await reads(caller, path), await opens(caller, path)]).toEqual([false, false])
    }
    expect(await opens(owner, path)).toBe(false)
    // Who buys later gets the post as it is now.
    await books.buy(fan, owner, post)
    expect(await urls(fan, post)).toEqual([other.path])
    expect([await reads(fan, path), await opens(fan, path)]).toEqual([false, false])
    // Nobody takes it away from the buyer.
    for (const text of [
      'delete from storage.objects where name = $1',
      `update storage.objects set name = name || 'x' where name = $1`,
    ])
      await expect(world.as(owner, text, [path])).rejects.toMatchObject({ constraint: 'objects_filed_are_final' })
    // A refund does, and a dispute that is won gives it back.
    await books.dispute(sale, 'open', 1000)
    expect([await urls(buyer, post), await reads(buyer, path)]).toEqual([[], false])
    await books.dispute(sale, 'won', 1000)
    expect(await urls(buyer, post)).toEqual(kept)
    await sound()
    // It goes with the post.
    await world.as(owner, 'delete from public.posts where id = $1', [post])
    expect(await rowsOf(gone)).toEqual([])
    await sound()
  })

  it('leaves a bought message whole', async () => {
    const file = await upload('messages')
    const bought = await send(buyer, file, { price: 500, text: '' })
    await unlock(bought, buyer)
    const paths = await urls(buyer, bought, 'messages')
    expect(await remove(owner, [file])).toBe(1)
    expect(await urls(buyer, bought, 'messages')).toEqual(paths)
    expect(await reads(buyer, String(paths?.[0]))).toBe(true)
    expect(await reads(fan, String(paths?.[0]))).toBe(false)
    expect(await rowsOf(file)).toEqual(['messages'])
    await sound()
  })

  it('deletes posts and messages that have nothing else, and keeps what is all that a bought post has', async () => {
    const [free, sold, paired] = [await upload(), await upload(), await upload()]
    const { id: emptied } = await world.buildPost(owner, { content: ' ', media: [free.path] })
    const message = await send(fan, free, { text: '' })
    const { id: bought } = await world.buildPost(owner, { type: 'ppv', content: '', media: [sold.path, paired.path] })
    await books.buy(buyer, owner, bought)
    const all = [free, sold, paired]
    expect(await foresee(owner, all)).toEqual({
      posts: 2,
      messages: 1,
      buyers: 1,
      emptied_posts: 1,
      staying_files: 2,
      stories: 0,
    })
    expect(await remove(owner, all)).toBe(1)
    expect(await shown(owner, emptied)).toBeUndefined()
    expect(await shown(owner, message, 'messages')).toBeUndefined()
    expect(await urls(buyer, bought)).toEqual([sold.path, paired.path])
    expect(await remove(owner, [sold])).toBe(1) // the other one is left
    expect(await remove(owner, [paired])).toBe(0)
    await world.as(owner, `update public.posts set content = 'Thank you' where id = $1`, [bought])
    expect(await remove(owner, [paired])).toBe(1)
    expect(await urls(buyer, bought)).toHaveLength(2)
    expect(await shown(fan, bought)).toMatchObject({ media_count: 0 })
    await sound()
  })

  it('keeps a reported message as evidence', async () => {
    const file = await upload('messages')
    const message = await send(fan, file)
    await world.as(
      fan,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'message', $2, 'harassment')`,
      [fan.profileId, message],
    )
    expect(await remove(owner, [file])).toBe(1)
    expect(await urls(fan, message, 'messages')).toHaveLength(1)
    await sound()
  })

  it('says clearly that a file was deleted between choosing and sending [VAULT-06]', async () => {
    const file = await upload()
    const [ready] = await world.as(owner, `select unnest(public.use_vault_files($1, 'messages')) as path`, [[file.id]])
    await remove(owner, [file])
    await expect(
      world.as(
        owner,
        `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types) values ($1, $2, '', array[$3], array['image'])`,
        [owner.profileId, fan.profileId, ready?.path],
      ),
    ).rejects.toMatchObject({ code: 'PT422', message: expect.stringContaining('deleted') })
    await expect(send(fan, file)).rejects.toMatchObject({
      code: 'PT404',
      message: expect.stringContaining("isn't in your vault"),
    })
  })

  it('is for its creator only', async () => {
    const file = await upload()
    const { id: post } = await world.buildPost(owner, { media: [file.path] })
    for (const caller of [rival, fan, admin]) {
      expect(await remove(caller, [file])).toBe(0)
      expect(await foresee(caller, [file])).toMatchObject({ posts: 0, messages: 0, buyers: 0 })
    }
    expect(await urls(fan, post)).toEqual([file.path])
  })
})
