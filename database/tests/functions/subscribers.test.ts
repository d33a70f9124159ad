import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fans: Person[]

beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  creator = await world.buildCreator()
  fans = []
  for (const [index, name] of ['Ines', 'Ivan', 'Otto', 'Uma'].entries()) {
    const fan = await world.buildPerson({ meta: { display_name: name } })
    fans.push(fan)
    await world.query(
      `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, current_period_end, cancel_at_period_end, access_until, created_at)
       values ($1, $2, $3, $4, now() + interval '9 days', $5, now() + interval '9 days', now() - make_interval(days => $6))`,
      [fan.profileId, creator.profileId, creator.productId, index === 3 ? 'canceled' : 'active', index === 2, index],
    )
  }
})
afterAll(() => world.close())

const names = async (...args: unknown[]) =>
  (
    await world.as(
      creator,
      `select display_name from public.get_subscribers($1${args.map((_argument, index) => `, $${index + 2}`).join('')})`,
      [creator.profileId, ...args],
    )
  ).map(({ display_name }) => display_name)
const thread = (fan: Person) =>
  world.as(fan, 'select content, is_paid, price, is_locked from public.messages where recipient_id = $1', [
    fan.profileId,
  ])
const send = () => world.as('service_role', 'select private.send_mass_messages() as more')

describe('the table of subscribers [DASH-03, DASH-11]', () => {
  it('is searched by name, filtered by group, and read in pages', async () => {
    expect(await names()).toEqual(['Ines', 'Ivan', 'Otto', 'Uma'])
    expect(await names('i')).toEqual(['Ines', 'Ivan'])
    expect(await names(null, 'current')).toEqual(['Ines', 'Ivan', 'Otto'])
    expect(await names(null, 'ending')).toEqual(['Otto'])
    expect(await names(null, 'past')).toEqual(['Uma'])
    const [, second] = await world.as(
      creator,
      'select created_at, subscription_id from public.get_subscribers($1, null, $2, 2)',
      [creator.profileId, 'all'],
    )
    expect(await names(null, 'all', 2, second?.created_at, second?.subscription_id)).toEqual(['Otto', 'Uma'])
  })

  it('has four groups and rejects others', async () => {
    expect(await names(null, null)).toEqual(['Ines', 'Ivan', 'Otto', 'Uma'])
    for (const group of ['curent', '', 'All'])
      await expect(names(null, group)).rejects.toMatchObject({
        code: '22023',
        message: 'subscriber_group must be all, current, ending, or past',
      })
  })

  it('shows what each subscriber has paid, after refunds, only to the creator', async () => {
    const [ines] = fans as [Person]
    await books.tip(ines, creator, { gross: 2000 })
    await books.refund(await books.tip(ines, creator, { gross: 500 }))
    const [line] = await world.as(creator, 'select spent from public.get_subscribers($1, $2)', [
      creator.profileId,
      'Ines',
    ])
    expect(line?.spent).toBe('2000')
    await expect(world.as(ines, 'select from public.get_subscribers($1)', [creator.profileId])).rejects.toMatchObject(
      refused,
    )
  })

  it('comes with a balance that matches the ledger', async () => {
    const earner = await world.buildCreator()
    await books.tip(fans[0] as Person, earner, { gross: 2000 })
    const [balance] = await world.as(earner, 'select * from public.get_creator_balance($1)', [earner.profileId])
    expect(balance).toEqual({ earned: '1800', balance: '1800', paid_out: '0' })
    expect(await books.balance(earner)).toBe(1800)
  })
})

describe('a message to a group [MSG-05]', () => {
  it("reaches each subscriber once as an ordinary message, except those who don't accept messages", async () => {
    const [ines, ivan, otto, uma] = fans as [Person, Person, Person, Person]
    await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      ivan.profileId,
      creator.profileId,
    ])
    const [count] = await world.as(creator, `select public.message_subscribers('See you at six.', 300) as count`)
    expect(count?.count).toBe(2)
    await expect(world.as(creator, `select public.message_subscribers('Again')`)).rejects.toMatchObject({
      code: 'PT409',
    })
    expect(await send()).toEqual([{ more: true }])
    expect(await send()).toEqual([{ more: false }])
    for (const fan of [ines, otto])
      expect(await thread(fan)).toEqual([{ content: null, is_paid: true, price: 300, is_locked: true }])
    for (const fan of [ivan, uma]) expect(await thread(fan)).toEqual([])
    await world.as(creator, `select public.message_subscribers('Thank you.', 0, 'past')`)
    await send()
    expect(await thread(uma)).toEqual([{ content: 'Thank you.', is_paid: false, price: 0, is_locked: false }])
  })

  it("to an empty group returns 0 and isn't queued", async () => {
    const lonely = await world.buildCreator()
    for (let i = 0; i < 2; i++)
      expect(await world.as(lonely, `select public.message_subscribers('Anybody?') as count`)).toEqual([{ count: 0 }])
    expect(await world.query('select from public.mass_messages where creator_id = $1', [lonely.profileId])).toEqual([])
  })

  it.each([
    ['an empty text', ' ', 0, 'current', { code: '23514' }],
    ['a price below a dollar', 'Hello', 99, 'current', { code: '23514' }],
    ['a group that there is not', 'Hello', 0, 'everybody', { code: '22023' }],
  ])('refuses %s', async (_what, content, price, group, error) => {
    await expect(
      world.as(creator, 'select public.message_subscribers($1, $2, $3)', [content, price, group]),
    ).rejects.toMatchObject(error)
  })

  it('can be sent only by an approved creator', async () => {
    await expect(world.as(fans[0] as Person, `select public.message_subscribers('Hello')`)).rejects.toMatchObject(
      refused,
    )
    await expect(world.as(creator, 'select private.send_mass_messages()')).rejects.toMatchObject(refused)
  })
})
