import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'
import { openCampaigns } from '../mass-messages.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let rival: Creator
let fan: Person
let other: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  ;[rival, fan, other, admin] = [
    await world.buildCreator(),
    await world.buildPerson(),
    await world.buildPerson(),
    await world.buildAdmin(),
  ]
})
afterAll(() => world.close())

type File = { id: string; path: string; version: string }
/** A file in the owner's vault, uploaded for a post, which has it under `path`. */
async function upload(owner: Person, { size = 100, fileName = '', mimetype = 'image/jpeg' } = {}): Promise<File> {
  const [path, version] = [`${owner.userId}/${randomUUID()}.jpg`, randomUUID()]
  await world.as(
    owner,
    'insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version) values ($1, $2, $3, $4, $5, $6, $7)',
    ['posts', path, owner.userId, owner.userId, { mimetype, size }, fileName ? { fileName } : null, version],
  )
  const [file] = await world.query('select id from public.vault_files where version = $1', [version])
  return { id: String(file?.id), path, version }
}
const uploads = async (owner: Person, count: number) => {
  const files: File[] = []
  for (let each = 0; each < count; each += 1) files.push(await upload(owner, { fileName: `${each}.jpg` }))
  return files
}
const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id)

const list = async (caller: Caller, args = '', values: unknown[] = []) =>
  (await world.as(
    caller,
    `select * from public.get_vault_${args.includes('album =>') ? 'album_' : ''}files(${args})`,
    values,
  )) as {
    id: string
    sales: number
    earned_cents: string
  }[]
const use = async (owner: Person, { id }: File, bucket = 'posts') => {
  const [row] = await world.as(owner, 'select unnest(public.use_vault_files($1, $2)) as path', [[id], bucket])
  return String(row?.path)
}
async function send(owner: Person, to: Person, file: File, price = 0) {
  const [row] = await world.as(
    owner,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
     values ($1, $2, 'Look', $3, $4, array[$5], array['image']) returning id`,
    [owner.profileId, to.profileId, price > 0, price, await use(owner, file, 'messages')],
  )
  return String(row?.id)
}
const unlock = (buyer: Person, owner: Person, message: string, gross = 500) =>
  world.as('service_role', `select private.post_message_unlock($1, $2, $3, $4, $5, $6, 'usd', now())`, [
    `pi_${randomUUID()}`,
    buyer.profileId,
    owner.profileId,
    message,
    gross,
    gross / 10,
  ])
const drift = () => world.query('select * from private.verify_counters()')

async function buildAlbum(owner: Person, name = `Album ${randomUUID().slice(0, 8)}`) {
  const [row] = await world.as(
    owner,
    'insert into public.vault_albums (creator_id, name) values ($1, $2) returning id',
    [owner.profileId, name],
  )
  return String(row?.id)
}
const albums = async (caller: Caller) =>
  (await world.as(caller, 'select * from public.get_vault_albums()')) as { id: string; name: string }[]
const change = async (caller: Caller, verb: 'add_to' | 'remove_from', album: string, files: readonly File[]) => {
  const [row] = await world.as(caller, `select public.${verb}_vault_album($1, $2) as files`, [album, idsOf(files)])
  return row?.files
}

describe('an album', () => {
  it('is created, renamed, put in order, and removed; a file can be in several, and stays when one is removed [VAULT-04]', async () => {
    const owner = await world.buildCreator()
    const files = await uploads(owner, 3)
    const [sea, city] = [await buildAlbum(owner, 'Sea'), await buildAlbum(owner, 'City')]
    expect(await change(owner, 'add_to', sea, files)).toBe(3)
    expect(await change(owner, 'add_to', city, files.slice(0, 1))).toBe(1)
    expect(await change(owner, 'add_to', sea, files)).toBe(0) // they are in it
    expect(await albums(owner)).toMatchObject([
      { name: 'Sea', file_count: 3 },
      { name: 'City', file_count: 1 },
    ])
    expect(idsOf(await list(owner, 'album => $1', [sea]))).toEqual(idsOf(files.toReversed()))
    await world.as(owner, `update public.vault_albums set name = 'Town' where id = $1`, [city])
    await world.as(owner, 'select public.arrange_vault_albums($1)', [[city, sea]])
    expect(await albums(owner)).toMatchObject([{ name: 'Town' }, { name: 'Sea' }])
    expect(await change(owner, 'remove_from', sea, files.slice(2))).toBe(1)
    expect(await drift()).toEqual([])
    await world.as(owner, 'delete from public.vault_albums where id = $1', [sea])
    expect(await albums(owner)).toMatchObject([{ name: 'Town', file_count: 1 }])
    expect(await list(owner)).toHaveLength(3)
  })

  it('shows the cover that its creator sets, or else one of its files [VAULT-04]', async () => {
    const owner = await world.buildCreator()
    const files = await uploads(owner, 2)
    const album = await buildAlbum(owner)
    const cover = async () => (await albums(owner))[0] as unknown as { cover_id: string | null; cover_path: string }
    const pathOf = async ({ id }: File) =>
      (await world.query('select name from storage.objects where id = $1', [id]))[0]?.name
    expect(await cover()).toMatchObject({ cover_id: null, cover_path: null })
    await change(owner, 'add_to', album, files)
    expect([await pathOf(files[0] as File), await pathOf(files[1] as File)]).toContain((await cover()).cover_path)
    const [, chosen] = files as [File, File]
    await world.as(owner, 'update public.vault_albums set cover_id = $1 where id = $2', [chosen.id, album])
    expect(await cover()).toMatchObject({ cover_id: chosen.id, cover_path: await pathOf(chosen), cover_kind: 'image' })
    await change(owner, 'remove_from', album, [chosen])
    expect(await cover()).toMatchObject({ cover_id: null, cover_path: await pathOf(files[0] as File) })
    const foreign = await upload(rival)
    await expect(
      world.as(owner, 'update public.vault_albums set cover_id = $1 where id = $2', [foreign.id, album]),
    ).rejects.toMatchObject(refused)
  })

  it('has a name of its own, and a creator has at most 100', async () => {
    const owner = await world.buildCreator()
    await buildAlbum(owner, 'Sea')
    await expect(buildAlbum(owner, 'SEA')).rejects.toMatchObject({ code: '23505', constraint: 'vault_albums_name_key' })
    for (const name of ['', ' Sea', 'x'.repeat(61)])
      await expect(buildAlbum(owner, name)).rejects.toMatchObject({ constraint: 'vault_albums_name_format' })
    await world.query(
      `insert into public.vault_albums (creator_id, name) select $1, 'Album ' || n from generate_series(2, 100) n`,
      [owner.profileId],
    )
    await expect(buildAlbum(owner)).rejects.toMatchObject({ code: 'PT409' })
    await expect(
      world.as(owner, 'select public.arrange_vault_albums($1)', [Array(2).fill((await albums(owner))[0]?.id)]),
    ).rejects.toMatchObject({ code: '22023' })
  })

  it('is read and changed by its creator only [VAULT-09]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const album = await buildAlbum(owner)
    await change(owner, 'add_to', album, [file])
    for (const caller of [rival, fan, admin]) {
      for (const table of ['vault_albums', 'vault_album_files'])
        expect(await world.as(caller, `select from public.${table} where creator_id = $1`, [owner.profileId])).toEqual(
          [],
        )
      expect((await albums(caller)).some(({ id }) => id === album)).toBe(false)
      expect(await list(caller, 'album => $1', [album])).toEqual([])
      for (const verb of ['add_to', 'remove_from'] as const)
        await expect(change(caller, verb, album, [file])).rejects.toMatchObject({ code: 'PT404' })
      await expect(world.as(caller, 'select public.arrange_vault_albums($1)', [[album]])).rejects.toMatchObject({
        code: 'PT404',
      })
      const own = `update public.vault_albums set name = 'Mine' where id = $1 returning id`
      for (const text of [own, 'delete from public.vault_albums where id = $1 returning id'])
        expect(await world.as(caller, text, [album])).toEqual([])
    }
    await expect(albums('anon')).rejects.toMatchObject(refused)
    await expect(buildAlbum(fan)).rejects.toMatchObject(refused)
    // Others' files are skipped.
    expect(await change(rival, 'add_to', await buildAlbum(rival), [file])).toBe(0)
  })

  it('takes 500 files in one request, and no more [VAULT-09]', async () => {
    const owner = await world.buildCreator()
    await world.query(
      `with files as (
         insert into storage.objects (bucket_id, name, metadata, version)
         select 'vault', $1 || '/' || n || '.jpg', '{}', gen_random_uuid() from generate_series(1, 500) n returning id, version
       ) insert into public.vault_files (id, creator_id, version, kind, size_bytes) select id, $2, version, 'image', 1 from files`,
      [owner.userId, owner.profileId],
    )
    const files = (await world.query('select id from public.vault_files where creator_id = $1', [
      owner.profileId,
    ])) as File[]
    const album = await buildAlbum(owner)
    expect(await change(owner, 'add_to', album, files)).toBe(500)
    expect(await albums(owner)).toMatchObject([{ file_count: 500 }])
    expect(await change(owner, 'remove_from', album, files)).toBe(500)
    await change(owner, 'add_to', album, files)
    const [deleted] = await world.as(owner, 'select public.delete_vault_files($1) as files', [idsOf(files)])
    expect(deleted?.files).toBe(500)
    expect(await albums(owner)).toMatchObject([{ file_count: 0 }])
    expect(await drift()).toEqual([])
    for (const wrong of [[], Array(501).fill(files[0]), [{ id: null }]])
      await expect(change(owner, 'add_to', album, wrong as File[])).rejects.toMatchObject({ code: '22023' })
  })

  it('is exported with the creator’s data, and goes with the account', async () => {
    const owner = await world.buildCreator()
    const files = await uploads(owner, 1)
    await change(owner, 'add_to', await buildAlbum(owner, 'Sea'), files)
    const [, rows = []] = await world.inOneTransaction(owner, [
      'select public.open_own_data()',
      'fetch all from own_data',
    ])
    expect(rows.filter(({ section }) => section === 'vault_albums')).toMatchObject([
      { item: expect.stringContaining('Sea') },
    ])
    expect(rows.filter(({ section }) => section === 'vault_album_files')).toHaveLength(1)
    await world.as('service_role', 'select private.delete_account($1)', [owner.userId])
    for (const table of ['vault_albums', 'vault_album_files'])
      expect(await world.query(`select from public.${table} where creator_id = $1`, [owner.profileId])).toEqual([])
  })
})

describe('what a file has earned', () => {
  const earned = async (owner: Person, { id }: File) => {
    const found = (await list(owner)).find((file) => file.id === id)
    return [found?.sales, Number(found?.earned_cents)]
  }

  it('is what its posts and messages have earned after fees and refunds, in full for each of their files [VAULT-01, VAULT-05]', async () => {
    const owner = await world.buildCreator()
    const [first, second, third] = (await uploads(owner, 3)) as [File, File, File]
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [first.path, second.path] })
    const sale = await books.buy(fan, owner, post, { gross: 1000, fee: 100 })
    await books.tip(fan, owner, { gross: 700 }, post) // not a sale
    const message = await send(owner, other, first, 500)
    await unlock(other, owner, message)
    expect(await earned(owner, first)).toEqual([2, 900 + 450])
    expect(await earned(owner, second)).toEqual([1, 900])
    expect(await earned(owner, third)).toEqual([0, 0])
    await books.refund(sale, 400)
    expect(await earned(owner, second)).toEqual([1, 540])
    await books.refund(sale, 600)
    expect(await earned(owner, first)).toEqual([1, 450])
    expect(await earned(owner, second)).toEqual([0, 0])
    expect(await drift()).toEqual([])
  })

  it('counts a dispute as a refund until it is won', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [file.path] })
    const sale = await books.buy(fan, owner, post, { gross: 1000, fee: 100 })
    await books.dispute(sale, 'open', 1000)
    expect(await earned(owner, file)).toEqual([0, 0])
    await books.dispute(sale, 'won', 1000)
    expect(await earned(owner, file)).toEqual([1, 900])
    expect(await drift()).toEqual([])
  })

  it('stays when its post is deleted', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [file.path] })
    await books.buy(fan, owner, post, { gross: 1000, fee: 100 })
    await world.as(owner, 'delete from public.posts where id = $1', [post])
    expect(await earned(owner, file)).toEqual([1, 900])
    expect(await drift()).toEqual([])
  })

  it('is an order of the vault and of its albums', async () => {
    const owner = await world.buildCreator()
    const files = (await uploads(owner, 3)) as [File, File, File]
    const album = await buildAlbum(owner)
    await change(owner, 'add_to', album, files)
    for (const [place, gross] of [
      [0, 500],
      [2, 900],
    ] as const) {
      const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [files[place].path] })
      await books.buy(fan, owner, post, { gross })
    }
    const order = idsOf([files[2], files[0], files[1]])
    expect(idsOf(await list(owner, `sort => 'earnings'`))).toEqual(order)
    const [top] = await list(owner, `sort => 'earnings', album => $1, page_size => 1`, [album])
    expect(top?.id).toBe(order[0])
    expect(
      idsOf(
        await list(owner, `sort => 'earnings', album => $1, after_value => $2, after_id => $3`, [
          album,
          top?.earned_cents,
          top?.id,
        ]),
      ),
    ).toEqual(order.slice(1))
    expect(idsOf(await list(owner, `search => '2.jpg', album => $1`, [album]))).toEqual([files[2].id])
    expect(idsOf(await list(owner, `usage => 'posts', sort => 'oldest', album => $1`, [album]))).toEqual(
      idsOf([files[0], files[2]]),
    )
  })
})

describe('the sheet of a file', () => {
  const uses = (caller: Caller, { id }: File, rest = '') =>
    world.as(caller, `select * from public.get_vault_uses($1${rest})`, [id])
  const recipients = (caller: Caller, { id }: File, rest = '') =>
    world.as(caller, `select * from public.get_vault_recipients($1${rest})`, [id])

  it('lists where the file is used and who has it, page by page [VAULT-05]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [file.path], price: 700 })
    const sale = await books.buy(fan, owner, post, { gross: 700 })
    const free = await send(owner, other, file)
    const paid = await send(owner, fan, file, 500)
    await unlock(fan, owner, paid)
    const sold = await send(owner, other, file, 900)
    expect(await uses(owner, file)).toMatchObject([
      { message_id: sold, price: 900, username: other.username },
      { message_id: paid, price: 500 },
      { message_id: free, price: null },
      { post_id: post, message_id: null, title: 'A title', price: 700 },
    ])
    const all = await recipients(owner, file)
    expect(all).toMatchObject([
      { profile_id: other.profileId, price: 900, is_bought: false },
      { profile_id: fan.profileId, price: 500, is_bought: true },
      { profile_id: other.profileId, price: 0, is_bought: false },
      { profile_id: fan.profileId, price: 700, is_bought: true, post_id: post },
    ])
    for (const [pages, column] of [
      [uses, 'used_at'],
      [recipients, 'received_at'],
    ] as const) {
      const whole = await pages(owner, file)
      const begun = await pages(owner, file, ', page_size => 2')
      const last = begun.at(-1) as Record<string, Date>
      const rest = await pages(
        owner,
        file,
        `, before => (select u.${column} from public.get_${pages === uses ? 'vault_uses' : 'vault_recipients'}($1) u where u.id = '${last.id}'), before_id => '${last.id}'`,
      )
      expect([...begun, ...rest]).toEqual(whole)
    }
    await books.refund(sale, 700)
    expect(await recipients(owner, file)).toHaveLength(3)
  })

  it('is for the creator only [VAULT-09]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    await send(owner, fan, file)
    for (const caller of [rival, fan, admin]) {
      expect(await uses(caller, file)).toEqual([])
      expect(await recipients(caller, file)).toEqual([])
      const text = `update public.vault_files set caption = 'Mine' where id = $1 returning id`
      expect(await world.as(caller, text, [file.id])).toEqual([])
    }
    for (const ask of [uses, recipients]) await expect(ask('anon', file)).rejects.toMatchObject(refused)
  })

  it('gives later uses its alt text, and readers of a locked post none of it [VAULT-05]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const words = { name: 'Pier.jpg', alt_text: 'A pier in the fog', caption: 'Early' }
    await world.as(owner, 'update public.vault_files set name = $2, alt_text = $3, caption = $4 where id = $1', [
      file.id,
      ...Object.values(words),
    ])
    expect(await list(owner)).toMatchObject([words])
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [await use(owner, file)] })
    await books.buy(fan, owner, post)
    const altFor = async (caller: Caller) =>
      (await world.as(caller, 'select media_previews as previews from public.posts where id = $1', [post]))[0]?.previews
    expect(await altFor(fan)).toEqual([{ alt: words.alt_text }])
    for (const caller of [other, 'anon'] as const) expect(await altFor(caller)).toEqual([{}])
    const message = await send(owner, fan, file, 500)
    const inMessage = async () =>
      (await world.as(fan, 'select media_previews as previews from public.messages where id = $1', [message]))[0]
        ?.previews
    expect(await inMessage()).toEqual([{}])
    await unlock(fan, owner, message)
    expect(await inMessage()).toEqual([{ alt: words.alt_text }])
  })

  it('lets an alt text be changed for one picture, by its owner only', async () => {
    const owner = await world.buildCreator()
    const { id: post, path } = await world.buildPost(owner)
    const describeAs = (caller: Caller, text: string) =>
      world.as(caller, 'select public.set_alt_text($1, $2)', [path, text])
    const previews = async () =>
      (await world.as('anon', 'select media_previews as previews from public.posts where id = $1', [post]))[0]?.previews
    await describeAs(owner, '  A pier ')
    expect(await previews()).toEqual([{ alt: 'A pier' }])
    await describeAs(owner, ' ')
    expect(await previews()).toEqual([{}])
    for (const caller of [rival, admin]) await expect(describeAs(caller, 'x')).rejects.toMatchObject({ code: 'PT404' })
    await expect(describeAs('anon', 'x')).rejects.toMatchObject(refused)
    await expect(describeAs(owner, 'x'.repeat(1001))).rejects.toMatchObject({ code: 'PT422' })
  })
})

describe('what a fan already has', () => {
  const history = async (caller: Caller, { profileId }: Person, files: readonly File[]) =>
    (await world.as(caller, 'select * from public.get_vault_history($1, $2)', [idsOf(files), profileId])) as {
      file_id: string
    }[]
  const ofFile = async (caller: Caller, person: Person, file: File) => (await history(caller, person, [file]))[0]

  it('is when each file was sent or bought, and for how much [INBOX-04]', async () => {
    const owner = await world.buildCreator()
    const files = await uploads(owner, 4)
    const [free, paid, bought, unused] = files as [File, File, File, File]
    await send(owner, fan, free)
    const message = await send(owner, fan, paid, 1200)
    const { id: post } = await world.buildPost(owner, { type: 'ppv', media: [bought.path], price: 700 })
    expect(await history(owner, fan, [bought, unused])).toEqual([])
    const sale = await books.buy(fan, owner, post, { gross: 700 })
    const received_at = expect.any(Date)
    expect(await ofFile(owner, fan, free)).toEqual({
      file_id: free.id,
      post_id: null,
      price: 0,
      is_bought: false,
      received_at,
    })
    expect(await ofFile(owner, fan, paid)).toMatchObject({ price: 1200, is_bought: false })
    await unlock(fan, owner, message, 1200)
    expect(await ofFile(owner, fan, paid)).toMatchObject({ price: 1200, is_bought: true })
    expect(await ofFile(owner, fan, bought)).toMatchObject({ post_id: post, price: 700, is_bought: true, received_at })
    expect((await history(owner, fan, files)).map(({ file_id }) => file_id).toSorted()).toEqual(
      idsOf([free, paid, bought]).toSorted(),
    )
    expect(await history(owner, other, files)).toEqual([])
    // A refund takes the post back.
    await books.refund(sale, 700)
    expect(await ofFile(owner, fan, bought)).toBeUndefined()
  })

  it('is what came in a mass message, too [INBOX-04]', async () => {
    const owner = await world.buildCreator()
    const campaigns = openCampaigns(world)
    const [file] = (await uploads(owner, 1)) as [File]
    const reader = await world.buildPerson()
    await campaigns.follow(reader, owner)
    const mass = await campaigns.deliver(owner, { files: [file.id], price: 500 })
    expect(await ofFile(owner, reader, file)).toMatchObject({ price: 500, is_bought: false })
    await campaigns.buy(reader, owner, mass)
    expect(await ofFile(owner, reader, file)).toMatchObject({ price: 500, is_bought: true })
  })

  it('is a purchase before a free message, and that before a locked one, then the latest [INBOX-04]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    const first = await send(owner, fan, file, 900)
    await send(owner, fan, file, 800)
    expect(await ofFile(owner, fan, file)).toMatchObject({ price: 800, is_bought: false })
    await send(owner, fan, file)
    await send(owner, fan, file, 600)
    expect(await ofFile(owner, fan, file)).toMatchObject({ price: 0, is_bought: false })
    await unlock(fan, owner, first, 900)
    await send(owner, fan, file)
    expect(await ofFile(owner, fan, file)).toMatchObject({ price: 900, is_bought: true })
  })

  it('is for the creator of the files only [VAULT-09]', async () => {
    const owner = await world.buildCreator()
    const [file] = (await uploads(owner, 1)) as [File]
    await send(owner, fan, file)
    for (const caller of [rival, fan, other, admin]) expect(await history(caller, fan, [file])).toEqual([])
    await expect(history('anon', fan, [file])).rejects.toMatchObject(refused)
    await expect(history(owner, fan, [])).rejects.toMatchObject({ code: '22023' })
  })

  it('costs the same however many others got the file', async () => {
    const owner = await world.buildCreator()
    const files = await uploads(owner, 2)
    const [rare, common] = files as [File, File]
    for (const file of files) await send(owner, fan, file)
    // Without triggers: 5,000 messages to others with the second file.
    await world.query(
      `begin; set local session_replication_role = replica;
       insert into private.messages (id, sender_id, recipient_id, body, media_paths, media_types)
       select md5('history' || n)::uuid, '${owner.profileId}', md5('fan' || n)::uuid, 'Look', array[n::text], array['image'] from generate_series(1, 5000) n;
       insert into private.vault_uses (object_id, file_id, message_id)
       select md5('history' || n)::uuid, '${common.id}', md5('history' || n)::uuid from generate_series(1, 5000) n; commit;`,
    )
    await world.query('analyze private.messages, private.vault_uses')
    const blocks = async (file: File) => {
      const text = `select * from public.get_vault_history(array['${file.id}']::uuid[], '${fan.profileId}')`
      const { all, commit } = await world.begin(owner, [text, `explain (analyze, buffers, format json) ${text}`])
      await commit()
      const [explained] = (all[1]?.[0]?.['QUERY PLAN'] ?? []) as { Plan: Record<string, number> }[]
      return Number(explained?.Plan['Shared Hit Blocks']) + Number(explained?.Plan['Shared Read Blocks'])
    }
    const [few, many] = [await blocks(rare), await blocks(common)]
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThanOrEqual(few * 1.5)
  })
})
