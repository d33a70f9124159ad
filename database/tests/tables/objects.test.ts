import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let owner: Person
let stranger: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  owner = await world.buildPerson()
  stranger = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const insert = (caller: Caller, bucket: string, name: string) =>
  world.as(caller, 'insert into storage.objects (bucket_id, name) values ($1, $2)', [bucket, name])
const sees = async (caller: Caller, name: string) =>
  (await world.as(caller, 'select from storage.objects where name = $1', [name])).length === 1
const overwrites = async (caller: Caller, name: string) =>
  (await world.as(caller, `update storage.objects set version = 'new' where name = $1 returning id`, [name])).length ===
  1
const deletes = async (caller: Caller, name: string) =>
  (await world.as(caller, 'delete from storage.objects where name = $1 returning id', [name])).length === 1

describe('buckets', () => {
  it('are ten, with their limits [D39, POST-24, POST-25, API-STO-02, API-STO-03, API-STO-05, LOOP-14, FIND-06, INBOX-05, OFFER-05, STORY-03]', async () => {
    const rows = await world.query(
      'select id, public, file_size_limit::int8::text as limit, allowed_mime_types as types from storage.buckets order by id',
    )
    const pictures = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
    const media = ['image/*', 'video/*']
    expect(rows).toEqual([
      { id: 'avatars', public: true, limit: '10485760', types: pictures },
      { id: 'banners', public: true, limit: '10485760', types: pictures },
      { id: 'covers', public: true, limit: '10485760', types: pictures },
      { id: 'front-page', public: true, limit: '10485760', types: pictures },
      { id: 'messages', public: false, limit: '1073741824', types: [...media, 'audio/*'] },
      { id: 'posts', public: false, limit: '1073741824', types: media },
      { id: 'products', public: false, limit: '5368709120', types: null },
      { id: 'stories', public: false, limit: '1073741824', types: media },
      { id: 'vault', public: false, limit: '1073741824', types: media },
      { id: 'verification', public: false, limit: '10485760', types: pictures },
    ])
  })

  it("can't be read or changed by clients", async () => {
    await expect(world.as(owner, 'select * from storage.buckets')).rejects.toMatchObject(refused)
  })
})

it('sets updated_at when a file or a bucket changes', async () => {
  const name = await world.buildFile(owner)
  const stale = 'created_at = updated_at as is_unchanged'
  expect(await world.query(`select ${stale} from storage.objects where name = $1`, [name])).toEqual([
    { is_unchanged: true },
  ])
  await overwrites(owner, name)
  expect(await world.query(`select ${stale} from storage.objects where name = $1`, [name])).toEqual([
    { is_unchanged: false },
  ])
  const bucket = `update storage.buckets set public = public where id = 'posts' returning ${stale}`
  expect(await world.as('service_role', bucket)).toEqual([{ is_unchanged: false }])
})

describe.each(['posts', 'avatars', 'banners', 'covers', 'verification'])('objects of bucket %s', (bucket) => {
  const isDocument = bucket === 'verification'

  it("are written only into the user's own folder [API-STO-01, API-STO-03, API-STO-05]", async () => {
    await insert(owner, bucket, `${owner.userId}/${randomUUID()}`)
    for (const name of [`${stranger.userId}/x`, 'x', `x/${owner.userId}/x`, owner.userId]) {
      await expect(insert(owner, bucket, name)).rejects.toMatchObject(refused)
    }
    await expect(insert('anon', bucket, `${owner.userId}/anon`)).rejects.toMatchObject(refused)
  })

  it('are listed only for their owner and admins [GEN-35, D10, POST-46]', async () => {
    const name = await world.buildFile(owner, bucket)
    expect(await sees(owner, name)).toBe(true)
    expect(await sees(admin, name)).toBe(true)
    expect(await sees(stranger, name)).toBe(false)
    expect(await sees('anon', name)).toBe(false)
  })

  it(`are ${isDocument ? 'never overwritten or deleted by users' : 'overwritten and deleted only by their owner'} [D10]`, async () => {
    const name = await world.buildFile(owner, bucket)
    for (const caller of [stranger, admin]) {
      expect(await overwrites(caller, name)).toBe(false)
      expect(await deletes(caller, name)).toBe(false)
    }
    await expect(overwrites('anon', name)).rejects.toMatchObject(refused)
    expect(await overwrites(owner, name)).toBe(!isDocument)
    expect(await deletes(owner, name)).toBe(!isDocument)
  })

  it("can't be moved into another folder or into the documents", async () => {
    const name = await world.buildFile(owner, bucket)
    for (const change of [`name = '${stranger.userId}/x'`, `bucket_id = 'verification'`]) {
      const move = world.as(owner, `update storage.objects set ${change} where name = $1 returning id`, [name])
      if (isDocument) expect(await move).toEqual([])
      else await expect(move).rejects.toMatchObject(refused)
    }
  })
})

describe('a file that is being filed', () => {
  /** Files as its owner does, leaves that open, and overwrites and moves the file meanwhile. @returns what that was answered. */
  async function changeMeanwhile(name: string, filing: string, values: unknown[]) {
    const { commit } = await world.begin(owner, [filing], values)
    const changes = [`version = 'new'`, `name = name || '-moved'`].map((change) =>
      world.as('service_role', `update storage.objects set ${change} where name = $1`, [name]).catch((error) => error),
    )
    const waiting = `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await world.query(waiting))[0]?.waiting).toBe(changes.length)
    await commit()
    return Promise.all(changes)
  }
  const final = { ...refused, constraint: 'objects_filed_are_final' }

  it("as an ID image can't be overwritten or moved at the same time [VER-05]", async () => {
    const [front, back] = [await world.buildFile(owner, 'verification'), await world.buildFile(owner, 'verification')]
    const apply = `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
      values ($1, 'Ada Lovelace', '12 St James''s Square', '123-45-6789', $2, $3)`
    expect(await changeMeanwhile(back, apply, [owner.userId, front, back])).toMatchObject([final, final])
  })

  it("with a message can't be overwritten or moved at the same time [MSG-09]", async () => {
    const name = await world.buildFile(owner, 'messages')
    const send = `insert into public.messages (sender_id, recipient_id, content, media_urls, media_types)
      values ($1, $2, 'Look', array[$3], array['image'])`
    expect(await changeMeanwhile(name, send, [owner.profileId, stranger.profileId, name])).toMatchObject([final, final])
  })
})
