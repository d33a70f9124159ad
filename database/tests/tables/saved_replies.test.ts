import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})

type Reply = { content?: string; price?: number | null; files?: string[]; id?: string | null }
async function save(caller: Caller, { content = 'Thanks, {name}!', price = null, files = [], id = null }: Reply = {}) {
  const [row] = await world.as(caller, 'select public.save_reply($1, $2, $3, $4) as id', [content, price, files, id])
  return String(row?.id)
}
const list = (caller: Caller) => world.as(caller, 'select * from public.get_saved_replies()')
/** A file of the creator's vault. @returns its id. */
async function upload(owner: Person, fileName: string) {
  const version = randomUUID()
  await world.as(
    owner,
    `insert into storage.objects (bucket_id, name, owner, owner_id, metadata, user_metadata, version)
     values ('messages', $1, $2, $3, '{"mimetype": "image/jpeg", "size": 9, "preview": "thumb"}', $4, $5)`,
    [`${owner.userId}/${version}.jpg`, owner.userId, owner.userId, { fileName }, version],
  )
  const [file] = await world.query('select id from public.vault_files where version = $1', [version])
  return String(file?.id)
}

describe('a saved reply', () => {
  it('is a text, which only its user sees, changes, and deletes [INBOX-03]', async () => {
    const first = await save(fan)
    await save(fan, { content: 'On my way' })
    expect(await list(fan)).toEqual([
      { id: first, content: 'Thanks, {name}!', price_cents: null, files: [] },
      expect.objectContaining({ content: 'On my way' }),
    ])
    await save(fan, { content: 'Thank you, {name}!', id: first })
    expect(await list(fan)).toMatchObject([{ id: first, content: 'Thank you, {name}!' }, { content: 'On my way' }])
    for (const caller of [creator, await world.buildAdmin()]) {
      expect(await list(caller)).toEqual([])
      expect(await world.as(caller, 'select from public.saved_replies')).toEqual([])
      await expect(save(caller, { id: first })).rejects.toMatchObject({ code: 'PT404' })
      expect(await world.as(caller, 'delete from public.saved_replies where id = $1 returning id', [first])).toEqual([])
    }
    await expect(list('anon')).rejects.toMatchObject(refused)
    await expect(save('anon')).rejects.toMatchObject(refused)
    await world.as(fan, 'delete from public.saved_replies where id = $1', [first])
    expect(await list(fan)).toMatchObject([{ content: 'On my way' }])
  })

  it('of an approved creator has files of their vault, in order, and a price [INBOX-03]', async () => {
    const [sea, pier] = [await upload(creator, 'sea.jpg'), await upload(creator, 'pier.jpg')]
    await save(creator, { content: '', price: 500, files: [pier, sea] })
    expect(await list(creator)).toMatchObject([
      {
        content: '',
        price_cents: 500,
        files: [
          {
            id: pier,
            kind: 'image',
            name: 'pier.jpg',
            preview: 'thumb',
            path: expect.stringContaining(creator.userId),
          },
          { id: sea, name: 'sea.jpg' },
        ],
      },
    ])
    // A file that is gone leaves the reply.
    await world.query('delete from storage.objects where id = $1', [pier])
    expect(await list(creator)).toMatchObject([{ price_cents: 500, files: [{ id: sea }] }])
  })

  it("has neither for other users, and no file of another user's vault [INBOX-03]", async () => {
    const file = await upload(creator, 'sea.jpg')
    await expect(save(fan, { price: 500 })).rejects.toMatchObject(refused)
    await expect(save(fan, { files: [file] })).rejects.toMatchObject(refused)
    await expect(save(await world.buildCreator(), { files: [file] })).rejects.toMatchObject({
      code: 'PT404',
      message: "A file isn't in your vault anymore",
    })
    for (const statement of [
      `insert into public.saved_replies (user_id, position, content) values ('${fan.profileId}', 1, 'Hi')`,
      `update public.saved_replies set price_cents = 500`,
    ])
      await expect(world.as(fan, statement)).rejects.toMatchObject(refused)
  })

  it.each([
    ['no text and no files', { content: ' \n' }, 'saved_replies_content_required'],
    ['5,001 characters', { content: 'x'.repeat(5001) }, 'saved_replies_content_length'],
    ['a price of 99 cents', { price: 99 }, 'saved_replies_price_range'],
    ['a price above the limit', { price: 1_000_000 }, 'saved_replies_price_range'],
  ])('with %s is rejected [INBOX-03]', async (_what, reply, constraint) => {
    await expect(save(creator, reply)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('is one of up to 100, also when two come at the same moment [INBOX-03]', async () => {
    await world.query(
      `insert into public.saved_replies (user_id, position, content) select $1, n, 'Reply ' || n from generate_series(1, 100) n where n <> 50`,
      [fan.profileId],
    )
    const results = await Promise.allSettled([save(fan), save(fan), save(fan)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(save(fan)).rejects.toMatchObject({
      code: 'PT422',
      message: 'You can have up to 100 saved replies',
    })
    expect(await list(fan)).toHaveLength(100)
    await world.as(fan, `delete from public.saved_replies where content = 'Reply 7'`)
    await save(fan, { content: 'A new one' })
    expect(await list(fan)).toHaveLength(100)
  })

  it('is in the export of its user’s data, and ends with the account [INBOX-03, STAT-03]', async () => {
    await save(fan)
    const [row] = await world.as(fan, 'select public.open_own_data() as opened')
    expect(row?.opened).toMatchObject({ sections: expect.arrayContaining(['saved_replies']) })
    await world.query('select private.delete_account($1, $1)', [fan.userId])
    expect(await world.query('select from public.saved_replies where user_id = $1', [fan.profileId])).toEqual([])
  })

  it('is read by an index [INBOX-03]', async () => {
    const plans = await world.plansOf('select * from public.get_saved_replies()', {
      enable_seqscan: 'off',
      'request.jwt.claims': JSON.stringify({ sub: fan.userId, role: 'authenticated' }),
    })
    expect(plans.find((plan) => plan.includes('named.position'))).toContain('saved_replies_place')
  })
})
