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

let world: DatabaseFixture
let creator: Creator
let rival: Creator
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ;[creator, rival, fan, admin] = [
    await world.buildCreator(),
    await world.buildCreator(),
    await world.buildPerson(),
    await world.buildAdmin(),
  ]
})
afterAll(() => world.close())

type Upload = { bucket?: string; mimetype?: string; size?: number; fileName?: string; sha256?: string }
/** A finished upload, as storage/v1 writes it. */
async function upload(owner: Person, { bucket = 'posts', mimetype = 'image/jpeg', size = 100, ...about }: Upload = {}) {
  const [path, version] = [`${owner.userId}/${randomUUID()}.${mimetype.split('/')[1]}`, randomUUID()]
  await world.as(
    owner,
    'insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version) values ($1, $2, $3, $4, $5, $6, $7)',
    [bucket, path, owner.userId, owner.userId, { mimetype, size }, about, version],
  )
  return { path, version }
}
type Listed = {
  id: string
  path: string
  post_uses: number
  message_uses: number
  created_at: Date
  size_bytes: string
}
const list = (caller: Caller, args = '') =>
  world.as(caller, `select * from public.get_vault_files(${args})`) as unknown as Promise<Listed[]>
const versionsOf = async (files: Listed[]) => {
  const rows = await world.query('select id, version from public.vault_files where id = any ($1)', [
    files.map(({ id }) => id),
  ])
  return files.map(({ id }) => rows.find((row) => row.id === id)?.version)
}
const use = async (caller: Caller, ids: string[], bucket = 'posts') =>
  (await world.as(caller, 'select unnest(public.use_vault_files($1, $2)) as path', [ids, bucket])) as { path: string }[]
async function send(sender: Person, to: Person, path: string, price = 0) {
  const [row] = await world.as(
    sender,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
     values ($1, $2, '', $3, $4, array[$5], array['image']) returning id`,
    [sender.profileId, to.profileId, price > 0, price, path],
  )
  return String(row?.id)
}
const reads = async (reader: Caller, path: string) =>
  (await world.as(reader, 'select from storage.objects where name = $1', [path])).length === 1

describe('an upload', () => {
  it('of a post or a message is in its creator’s vault at once, newest first [VAULT-01, VAULT-02]', async () => {
    const owner = await world.buildCreator()
    const first = await upload(owner, { size: 300 })
    const second = await upload(owner, { bucket: 'messages', mimetype: 'video/mp4', size: 200 })
    const files = await list(owner)
    expect(await versionsOf(files)).toEqual([second.version, first.version])
    expect(files).toMatchObject([
      { kind: 'video', mime_type: 'video/mp4', size_bytes: '200', post_uses: 0, message_uses: 0 },
      { kind: 'image', mime_type: 'image/jpeg', size_bytes: '300' },
    ])
    expect(files[0]?.path).toMatch(new RegExp(`^${owner.userId}/.*\\.mp4$`))
  })

  it('that is a voice message is in the vault, for messages only [VAULT-02, INBOX-05]', async () => {
    const owner = await world.buildCreator()
    await upload(owner, { bucket: 'messages' })
    await upload(owner, { bucket: 'messages', mimetype: 'audio/mp4' })
    expect(await list(owner)).toMatchObject([{ kind: 'audio', mime_type: 'audio/mp4' }, { kind: 'image' }])
    const [file] = await list(owner, `kind => 'audio'`)
    const id = String(file?.id)
    await expect(use(owner, [id])).rejects.toMatchObject({ code: 'PT422' })
    const [again] = await use(owner, [id], 'messages')
    expect(again?.path).toMatch(new RegExp(`^${owner.userId}/`))
    const [album] = await world.as(
      owner,
      `insert into public.vault_albums (creator_id, name) values ($1, 'Voice') returning id`,
      [owner.profileId],
    )
    await world.as(owner, 'select public.add_to_vault_album($1, $2)', [album?.id, [id]])
    expect(await world.as(owner, 'select name, cover_kind from public.get_vault_albums()')).toEqual([
      { name: 'Voice', cover_kind: 'audio' },
    ])
  })

  it('keeps its name on the device for the creator alone', async () => {
    const owner = await world.buildCreator()
    const { path } = await upload(owner, { fileName: 'Tide at dawn.jpg' })
    expect(await list(owner)).toMatchObject([{ name: 'Tide at dawn.jpg' }])
    expect(await world.query('select user_metadata from storage.objects where name = $1', [path])).toEqual([
      { user_metadata: null },
    ])
  })

  it('to the vault itself is a file of it, ready to be used [VAULT-03]', async () => {
    const owner = await world.buildCreator()
    const { path } = await upload(owner, { bucket: 'vault', fileName: 'Tide at dawn.jpg', sha256: 'ab'.repeat(32) })
    const [file] = await list(owner)
    expect(file).toMatchObject({ path, name: 'Tide at dawn.jpg', post_uses: 0, message_uses: 0 })
    expect(await use(owner, [String(file?.id)])).toHaveLength(1)
    for (const other of [fan, await world.buildCreator()]) {
      const place = `${owner.userId}/${randomUUID()}.jpg`
      const insert = `insert into storage.objects (bucket_id, name, version) values ('vault', $1, 'x')`
      await expect(world.as(other, insert, [place])).rejects.toMatchObject(refused)
    }
    await expect(upload(fan, { bucket: 'vault' })).rejects.toMatchObject(refused)
  })

  it('can be found again by its creator by its hash, wherever it went [VAULT-03]', async () => {
    const [owner, rival] = [await world.buildCreator(), await world.buildCreator()]
    const hashes = ['ab', 'cd', 'ef'].map((pair) => pair.repeat(32))
    const paths = []
    for (const [index, bucket] of ['posts', 'messages', 'vault'].entries())
      paths.push((await upload(owner, { bucket, sha256: hashes[index] ?? '' })).path)
    const find = (caller: Caller) =>
      world.as(caller, 'select sha256 from public.vault_files where sha256 = any ($1) order by 1', [hashes])
    expect(await find(owner)).toEqual(hashes.map((sha256) => ({ sha256 })))
    expect(await find(rival)).toEqual([])
    const kept = await world.query(
      `select from storage.objects where name = any ($1) and bucket_id <> 'vault' and user_metadata is not null`,
      [paths],
    )
    expect(kept).toEqual([])
  })

  it('has no hash if it names something else as one', async () => {
    const owner = await world.buildCreator()
    await upload(owner, { sha256: 'no hash' })
    expect(await world.as(owner, 'select sha256 from public.vault_files')).toEqual([{ sha256: null }])
  })

  it('of a fan, or of another bucket, is in no vault', async () => {
    const owner = await world.buildCreator()
    await upload(owner, { bucket: 'avatars' })
    await upload(fan, { bucket: 'messages' })
    expect(await list(owner)).toEqual([])
    expect(await list(fan)).toEqual([])
  })

  it('from before the approval is in the vault from then on, with its uses', async () => {
    const [person, friend] = [await world.buildPerson(), await world.buildPerson()]
    const { path, version } = await upload(person, { bucket: 'messages' })
    await send(person, friend, path)
    const voice = await upload(person, { bucket: 'messages', mimetype: 'audio/mp4' })
    await world.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
      person.profileId,
    ])
    const files = await list(person)
    expect(await versionsOf(files)).toEqual([voice.version, version])
    expect(files).toMatchObject([{ message_uses: 0 }, { message_uses: 1 }])
  })

  it('that replaces another one leaves the earlier one in the vault', async () => {
    const owner = await world.buildCreator()
    const { path, version } = await upload(owner)
    await world.as(owner, `update storage.objects set version = 'newer' where name = $1`, [path])
    expect(await versionsOf(await list(owner))).toEqual(['newer', version])
  })
})

describe('a file of the vault', () => {
  it('is used in posts and messages with the same content, each with the permissions of its use [VAULT-02]', async () => {
    const owner = await world.buildCreator()
    const { version } = await upload(owner)
    const [file] = await list(owner)
    const [free] = await use(owner, [String(file?.id)])
    const [paid] = await use(owner, [String(file?.id)], 'messages')
    const sold = await use(owner, [String(file?.id)])
    await world.buildPost(owner, { media: [String(free?.path)] })
    await world.buildPost(owner, { type: 'ppv', media: [String(sold[0]?.path)] })
    await send(owner, fan, String(paid?.path), 500)
    expect(await world.query('select bucket_id from storage.objects where version = $1 order by 1', [version])).toEqual(
      [
        { bucket_id: 'messages' },
        { bucket_id: 'posts' },
        { bucket_id: 'posts' },
        { bucket_id: 'posts' },
        { bucket_id: 'vault' },
      ],
    )
    expect(await list(owner)).toMatchObject([{ post_uses: 2, message_uses: 1 }])
    const paths = [free, paid, ...sold, file].map((entry) => String(entry?.path))
    expect(await Promise.all(paths.map((path) => reads(fan, path)))).toEqual([true, false, false, false])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it('counts its uses down when a post is deleted, and stays', async () => {
    const owner = await world.buildCreator()
    const { path, version } = await upload(owner)
    const { id } = await world.buildPost(owner, { media: [path] })
    expect(await list(owner)).toMatchObject([{ post_uses: 1 }])
    await world.as(owner, 'delete from public.posts where id = $1', [id])
    const files = await list(owner)
    expect(files).toMatchObject([{ post_uses: 0 }])
    expect(await versionsOf(files)).toEqual([version])
    expect(await world.query('select bucket_id from storage.objects where version = $1', [version])).toEqual([
      { bucket_id: 'vault' },
    ])
  })

  it('takes its space once, however often it is used', async () => {
    const owner = await world.buildCreator()
    await upload(owner, { size: 1000 })
    const [file] = await list(owner)
    await use(owner, [String(file?.id)])
    expect(await world.as('service_role', 'select stored_bytes from private.storage_use($1)', [owner.userId])).toEqual([
      { stored_bytes: '1000' },
    ])
  })

  it('can be used by its creator only', async () => {
    await upload(creator)
    const [file] = await list(creator)
    for (const other of [rival, fan, admin])
      await expect(use(other, [String(file?.id)])).rejects.toMatchObject({ code: 'PT404' })
    await expect(use('anon', [String(file?.id)])).rejects.toMatchObject(refused)
    await expect(use(creator, [String(file?.id)], 'vault')).rejects.toMatchObject({ code: '22023' })
    await expect(use(creator, [])).rejects.toMatchObject({ code: '22023' })
    await expect(use(creator, Array(21).fill(file?.id))).rejects.toMatchObject({ code: '22023' })
  })

  it('goes with the account', async () => {
    const owner = await world.buildCreator()
    const { version } = await upload(owner)
    await world.as('service_role', 'select private.delete_account($1)', [owner.userId])
    expect(await world.query('select from storage.objects where version = $1', [version])).toEqual([])
    expect(await world.query('select from public.vault_files where version = $1', [version])).toEqual([])
  })
})

describe('the vault', () => {
  it('is read by its creator only: rows, files, and list [VAULT-09]', async () => {
    const owner = await world.buildCreator()
    await upload(owner)
    const [file] = await list(owner)
    const rows = (caller: Caller) => world.as(caller, 'select id from public.vault_files where id = $1', [file?.id])
    expect(await rows(owner)).toHaveLength(1)
    expect(await reads(owner, String(file?.path))).toBe(true)
    for (const other of [rival, fan, admin]) {
      expect(await rows(other)).toEqual([])
      expect(await reads(other, String(file?.path))).toBe(false)
      expect((await list(other)).some(({ id }) => id === file?.id)).toBe(false)
    }
    await expect(rows('anon')).rejects.toMatchObject(refused)
    await expect(list('anon')).rejects.toMatchObject(refused)
  })

  it('can be changed by uploads only, except for its words', async () => {
    const owner = await world.buildCreator()
    await upload(owner)
    const [file] = await list(owner)
    const touched = [
      `update storage.objects set version = 'x' where id = $1 returning id`,
      'delete from storage.objects where id = $1 returning id',
    ]
    for (const text of touched) expect(await world.as(owner, text, [file?.id])).toEqual([])
    for (const column of ['size_bytes = 0', 'earned_cents = 1', 'creator_id = null'])
      await expect(
        world.as(owner, `update public.vault_files set ${column} where id = $1`, [file?.id]),
      ).rejects.toMatchObject(refused)
    await expect(world.as(owner, 'delete from public.vault_files where id = $1', [file?.id])).rejects.toMatchObject(
      refused,
    )
  })

  it('filters by kind and use, sorts, and finds names [VAULT-01]', async () => {
    const owner = await world.buildCreator()
    const plain = await upload(owner, { size: 10, fileName: 'IMG_2041.jpg' })
    const posted = await upload(owner, { size: 30, fileName: 'Café by the sea.jpg' })
    const film = await upload(owner, {
      bucket: 'messages',
      mimetype: 'video/mp4',
      size: 20,
      fileName: "Sea's edge.mp4",
    })
    await world.buildPost(owner, { media: [posted.path] })
    const found = async (args: string) => {
      const all = [plain, posted, film]
      const names = ['plain', 'posted', 'film']
      return (await versionsOf(await list(owner, args))).map(
        (version) => names[all.findIndex((one) => one.version === version)],
      )
    }
    expect(await found('')).toEqual(['film', 'posted', 'plain'])
    expect(await found(`kind => 'image'`)).toEqual(['posted', 'plain'])
    expect(await found(`usage => 'unused'`)).toEqual(['film', 'plain'])
    expect(await found(`usage => 'used'`)).toEqual(['posted'])
    expect(await found(`usage => 'posts'`)).toEqual(['posted'])
    expect(await found(`usage => 'messages'`)).toEqual([])
    expect(await found(`sort => 'oldest'`)).toEqual(['plain', 'posted', 'film'])
    expect(await found(`sort => 'largest'`)).toEqual(['posted', 'film', 'plain'])
    expect((await found(`sort => 'earnings'`)).toSorted()).toEqual(['film', 'plain', 'posted'])
    expect(await found(`search => 'sea'`)).toEqual(['film', 'posted'])
    expect(await found(`search => 'CAFE se'`)).toEqual(['posted'])
    expect(await found(`search => '2041'`)).toEqual(['plain'])
    expect(await found(`search => 'sea', kind => 'video', sort => 'largest'`)).toEqual(['film'])
    expect(await found(`search => $$'":*&|!\\(sea$$`)).toEqual(['film', 'posted'])
    expect(await found(`search => '!!'`)).toEqual([])
    expect(await found(`search => '  '`)).toEqual(['film', 'posted', 'plain'])
    for (const wrong of [`kind => 'text'`, `usage => 'x'`, `sort => 'x'`, `sort => null`])
      await expect(found(wrong)).rejects.toMatchObject({ code: '22023' })
  })

  it.each([
    ['newest', 'created_at', 1],
    ['oldest', 'created_at', 1],
    ['largest', 'size_bytes', 2],
  ] as const)('has pages after the last file, in order: %s', async (sort, column, sizes) => {
    const owner = await world.buildCreator()
    for (let count = 0; count < 7; count += 1) await upload(owner, { size: (count % sizes) + 1 })
    const all = await list(owner, `sort => '${sort}'`)
    const pages: Listed[] = []
    for (let last: Listed | undefined; pages.length < 7; last = pages.at(-1)) {
      const after = last
        ? `, after_value => (select f.${column}::text from public.vault_files f where f.id = '${last.id}'), after_id => '${last.id}'`
        : ''
      const page = await list(owner, `sort => '${sort}', page_size => 3${after}`)
      pages.push(...page)
      if (page.length === 0) break
    }
    expect(pages.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  })

  it('is exported with the creator’s data', async () => {
    const owner = await world.buildCreator()
    await upload(owner, { fileName: 'Tide.jpg' })
    const [, rows = []] = await world.inOneTransaction(owner, [
      'select public.open_own_data()',
      'fetch all from own_data',
    ])
    expect(rows.filter(({ section }) => section === 'vault_files')).toMatchObject([
      { item: expect.stringContaining('Tide.jpg') },
    ])
  })
})

describe('a reused video', () => {
  const finish = (object: unknown, version: string, files: unknown[], facts = {}) =>
    world.as('service_role', 'select private.finish_video($1, $2, $3, $4) as done', [
      object,
      version,
      facts,
      JSON.stringify(files),
    ])
  const rendered = (version: string) =>
    world.query('select kind from private.video_files where source = $1 order by 1', [version])
  const poster = () => ({ version: randomUUID(), kind: 'poster', size_bytes: 5, mimetype: 'image/jpeg', stream: null })
  const stream = () => ({
    version: randomUUID(),
    kind: 'stream',
    size_bytes: 5,
    mimetype: 'video/mp4',
    stream: { name: '360p' },
  })

  it('is transcoded once for all of its uses', async () => {
    const owner = await world.buildCreator()
    const { path, version } = await upload(owner, { mimetype: 'video/mp4' })
    const [file] = await list(owner)
    const [again] = await use(owner, [String(file?.id)], 'messages')
    await finish(file?.id, version, [poster(), stream()], { stream: true, duration: 4 })
    const [late] = await use(owner, [String(file?.id)])
    const states = await world.query(
      `select v.state, o.metadata -> 'stream' as stream from private.videos v join storage.objects o on o.id = v.object_id
       where o.name = any ($1)`,
      [[path, again?.path, late?.path, file?.path]],
    )
    expect(states).toEqual(Array(4).fill({ state: 'ready', stream: true }))
    expect(await list(owner)).toMatchObject([{ duration: 4, stream: true }])
  })

  it('keeps its streams while any of its uses is there, and loses them with the last', async () => {
    const owner = await world.buildCreator()
    const { path, version } = await upload(owner, { mimetype: 'video/mp4' })
    const [file] = await list(owner)
    const [object] = await world.query('select id from storage.objects where name = $1', [path])
    await finish(object?.id, version, [poster(), stream()], { stream: true })
    await world.as(owner, 'delete from storage.objects where name = $1', [path])
    expect(await rendered(version)).toEqual([{ kind: 'poster' }, { kind: 'stream' }])
    await world.query('delete from storage.objects where id = $1', [file?.id])
    expect(await rendered(version)).toEqual([])
  })

  it('shows its facts in every post that has it', async () => {
    const owner = await world.buildCreator()
    const { version } = await upload(owner, { mimetype: 'video/mp4' })
    const [file] = await list(owner)
    const posts: unknown[] = []
    for (let count = 0; count < 2; count += 1) {
      const [again] = await use(owner, [String(file?.id)])
      const [post] = await world.as(
        owner,
        `insert into public.posts (creator_id, content, media_urls, media_types) values ($1, 'Watch', array[$2], array['video']) returning id`,
        [owner.profileId, again?.path],
      )
      posts.push(post?.id)
    }
    await finish(file?.id, version, [poster()], { duration: 9 })
    expect(await world.as('anon', 'select media_previews from public.posts where id = any ($1)', [posts])).toEqual(
      Array(2).fill({ media_previews: [{ duration: 9 }] }),
    )
  })
})

describe('the cost of a page', () => {
  /** Rows as uploads leave them, without their triggers. */
  const fill = async (owner: Creator, files: number) => {
    await world.query(
      `insert into storage.objects (id, bucket_id, name, metadata, version)
       select md5($1 || n)::uuid, 'vault', $1 || '/' || n || '.jpg', '{}', $1 || n from generate_series(1, $2) n`,
      [owner.userId, files],
    )
    await world.query(
      `insert into public.vault_files (id, creator_id, version, kind, size_bytes, name, post_uses, message_uses, earned_cents, created_at)
       select md5($1 || n)::uuid, $2, $1 || n, case when n % 5 = 0 then 'video' when n % 11 = 0 then 'audio' else 'image' end, n * 7919 % 100000,
         case when n % 400 = 0 then 'Lighthouse' else 'Sea' end || n || '.jpg', (n % 3 = 0)::int, (n % 7 = 0)::int, n * 31 % 50000,
         now() - n * interval '1 minute'
       from generate_series(1, $3) n`,
      [owner.userId, owner.profileId, files],
    )
    // In an album, too: all of them.
    await world.query(
      `with album as (insert into public.vault_albums (creator_id, name) values ($1, 'All') returning id)
       insert into public.vault_album_files (album_id, file_id, creator_id, kind, uses, size_bytes, earned_cents, created_at)
       select album.id, f.id, f.creator_id, f.kind, f.uses, f.size_bytes, f.earned_cents, f.created_at
       from album, public.vault_files f where f.creator_id = $1`,
      [owner.profileId],
    )
  }
  /** Blocks read for one page. */
  const blocks = async (owner: Creator, args: string) => {
    const page = `select * from public.get_vault_${args.includes('album =>') ? 'album_' : ''}files(${args})`
    const { all, commit } = await world.begin(owner, [page, `explain (analyze, buffers, format json) ${page}`])
    await commit()
    const [explained] = (all[1]?.[0]?.['QUERY PLAN'] ?? []) as { Plan: Record<string, number> }[]
    return Number(explained?.Plan['Shared Hit Blocks']) + Number(explained?.Plan['Shared Read Blocks'])
  }

  it('depends neither on the creator’s files nor on others’, filtered or not [VAULT-08]', async () => {
    const [small, large] = [await world.buildCreator(), await world.buildCreator()]
    await fill(small, 2400) // enough for a full page of each filter
    await fill(large, 30_000)
    for (let count = 0; count < 20; count += 1) await fill(await world.buildCreator(), 1500)
    await world.query('vacuum analyze public.vault_files, public.vault_album_files')
    const after = (days: number) =>
      `after_value => (now() - interval '${days} days')::text, after_id => gen_random_uuid()`
    const pages = [
      'page_size => 60',
      `sort => 'oldest'`,
      `sort => 'largest'`,
      ...['used', 'unused', 'posts', 'messages'].map((usage) => `usage => '${usage}'`),
      `kind => 'video', usage => 'messages', sort => 'largest'`,
      `kind => 'image', sort => 'oldest'`,
      `kind => 'audio'`,
      `sort => 'earnings'`,
      `kind => 'image', usage => 'posts', sort => 'earnings'`,
    ]
    const albumOf = async (owner: Creator) => {
      const [album] = await world.query('select id from public.vault_albums where creator_id = $1', [owner.profileId])
      return `, album => '${String(album?.id)}'`
    }
    const [inSmall, inLarge] = [await albumOf(small), await albumOf(large)]
    for (const page of pages) {
      for (const [few, many] of [
        [await blocks(small, page), await blocks(large, page)],
        [await blocks(small, `${page}${inSmall}`), await blocks(large, `${page}${inLarge}`)],
      ] as const)
        expect({ page, few, many, holds: many <= few * 1.5 }).toMatchObject({ holds: true })
    }
    for (const place of ['', inLarge]) {
      const [first, deep] = [await blocks(large, `page_size => 60${place}`), await blocks(large, after(15) + place)]
      expect(deep).toBeLessThanOrEqual(first * 1.5)
    }

    const plans = await world.plansOf(`select * from public.get_vault_files(search => 'lighthouse')`, {
      'request.jwt.claims': JSON.stringify({ role: 'authenticated', sub: large.userId }),
    })
    const search = plans.find((plan) => plan.includes('found'))
    expect(search).toContain('vault_files_words_idx')
    expect(plans.join('\n')).not.toContain('Seq Scan on vault_files')
  })
})
