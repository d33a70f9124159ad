import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

async function sell(recipient = fan) {
  const [row] = await world.as(
    creator,
    `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'secret', true, 500) returning id`,
    [creator.profileId, recipient.profileId],
  )
  return String(row?.id)
}
async function pay(message: string, cause: string = `pi_${randomUUID()}`, buyer = fan) {
  const [row] = await world.as(
    'service_role',
    `select private.post_message_unlock($1, $2, $3, $4, 500, 50, 'usd', now()) as id`,
    [cause, buyer.profileId, creator.profileId, message],
  )
  return String(row?.id)
}
const isLocked = async (message: string) =>
  (await world.as(fan, 'select is_locked from public.messages where id = $1', [message]))[0]?.is_locked

describe('a paid unlock', () => {
  it('is booked, unlocks the message, and notifies the sender [MSG-08, NOTI-15, D5, D27]', async () => {
    const message = await sell()
    const transaction = await pay(message)
    expect(await isLocked(message)).toBe(false)
    expect(
      await world.as(
        creator,
        'select transaction_type, amount, fee_amount, net_amount, message_id, from_user_id from public.transactions where id = $1',
        [transaction],
      ),
    ).toEqual([
      {
        transaction_type: 'paid_message',
        amount: '500',
        fee_amount: '50',
        net_amount: '450',
        message_id: message,
        from_user_id: fan.profileId,
      },
    ])
    expect(await world.query('select is_unlocked from private.messages where id = $1', [message])).toEqual([
      { is_unlocked: true },
    ])
    expect(
      await world.as(creator, `select title, message from public.notifications where data ->> 'message_id' = $1`, [
        message,
      ]),
    ).toEqual([{ title: `${fan.username} unlocked your message`, message: 'You earned $4.50.' }])
    expect(await world.query('select * from private.verify_ledger()')).toEqual([])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
  })

  it('is booked once for each cause, also when two arrive at the same time [MSG-08]', async () => {
    const message = await sell()
    const cause = `pi_${randomUUID()}`
    const [first, second] = await Promise.all([pay(message, cause), pay(message, cause)])
    expect(first).toBe(second)
    expect(await world.query('select from public.message_unlocks where message_id = $1', [message])).toHaveLength(1)
    expect(await world.query('select from public.transactions where message_id = $1', [message])).toHaveLength(1)
  })

  it('paid twice is booked twice, unlocks once, and requests a refund of the second', async () => {
    const message = await sell()
    const transactions = await Promise.all([pay(message), pay(message)])
    expect(await world.query('select from public.message_unlocks where message_id = $1', [message])).toHaveLength(1)
    expect(new Set(transactions).size).toBe(2)
    expect(
      await world.query(`select from private.payment_tasks where kind = 'refund' and transaction_id = any($1)`, [
        transactions,
      ]),
    ).toHaveLength(1)
  })

  it('is refunded when the message was deleted or is for another user', async () => {
    const other = await world.buildPerson()
    for (const [message, buyer] of [
      [randomUUID(), fan],
      [await sell(), other],
    ] as const) {
      const transaction = await pay(message, undefined, buyer)
      expect(
        await world.query('select from private.payment_tasks where transaction_id = $1', [transaction]),
      ).toHaveLength(1)
      expect(await world.query('select from public.message_unlocks where transaction_id = $1', [transaction])).toEqual(
        [],
      )
    }
  })

  it('is unlocked again by the same payment after a dispute is won [MSG-08]', async () => {
    const message = await sell()
    const transaction = await pay(message)
    await world.query('delete from public.message_unlocks where transaction_id = $1', [transaction])
    expect(await isLocked(message)).toBe(true)
    await world.query('select private.restore_message_unlock(t) from public.transactions t where t.id = $1', [
      transaction,
    ])
    expect(await isLocked(message)).toBe(false)
  })
})

describe('message_unlocks', () => {
  it('are readable by the sender and the recipient, and no client writes them [MSG-09, GEN-35]', async () => {
    const message = await sell()
    await pay(message)
    const see = 'select buyer_id from public.message_unlocks where message_id = $1'
    for (const caller of [fan, creator]) {
      expect(await world.as(caller, see, [message])).toEqual([{ buyer_id: fan.profileId }])
    }
    expect(await world.as(await world.buildPerson(), see, [message])).toEqual([])
    expect(await world.as(await world.buildAdmin(), see, [message])).toEqual([])
    await expect(world.as('anon', see, [message])).rejects.toMatchObject(refused)
    for (const caller of [fan, creator]) {
      for (const attempt of [
        'insert into public.message_unlocks (message_id, buyer_id) values (gen_random_uuid(), gen_random_uuid())',
        'update public.message_unlocks set buyer_id = buyer_id',
        'delete from public.message_unlocks',
      ]) {
        await expect(world.as(caller, attempt)).rejects.toMatchObject(refused)
      }
    }
    await expect(
      world.as(fan, `select private.post_message_unlock('x', $1, $2, $3, 500, 50, 'usd', now())`, [
        fan.profileId,
        creator.profileId,
        message,
      ]),
    ).rejects.toMatchObject(refused)
  })
})
