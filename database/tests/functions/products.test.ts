import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterEach(async () => expect(await books.problems()).toEqual([]))

type Details = {
  id?: string | null
  title?: string
  cover?: string | null
  price?: number
  takesMore?: boolean
  percentOff?: number
  stock?: number | null
  files?: readonly { path: string; name: string }[]
  note?: string | null
}
async function save(owner: Person, details: Details = {}): Promise<string> {
  const {
    id = null,
    title = 'Brushes',
    cover = null,
    price = 1000,
    takesMore = false,
    percentOff = 0,
    stock = null,
  } = details
  const files = details.files ?? [
    { path: await world.buildFile(owner, 'products', 'application/zip'), name: 'Brushes.zip' },
  ]
  const [row] = await world.as(owner, 'select public.save_product($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as id', [
    title,
    price,
    JSON.stringify(files),
    'Forty brushes',
    cover,
    takesMore,
    percentOff,
    stock,
    details.note ?? null,
    id,
  ])
  return String(row?.id)
}
const setStatus = (owner: Person, id: string, status = 'published') =>
  world.as(owner, 'select public.set_product_status($1, $2)', [id, status])
async function publish(owner: Person = creator, details: Details = {}): Promise<string> {
  const id = await save(owner, details)
  await setStatus(owner, id)
  return id
}
const file = async (name: string, owner: Person = creator) => ({
  path: await world.buildFile(owner, 'products', 'application/zip'),
  name,
})
const page = async (caller: Caller, id: string) =>
  (await world.as(caller, 'select * from public.get_product($1)', [id]))[0]
const quote = async (buyer: Person, id: string, amount: number | null = null) =>
  (
    await world.as('service_role', 'select amount_cents, title from private.quote_product($1, $2, $3)', [
      buyer.profileId,
      id,
      amount,
    ])
  )[0]
const hold = (buyer: Person, id: string, seconds = 60) =>
  world.as('service_role', 'select private.hold_product($1, $2, $3)', [buyer.profileId, id, seconds])
const readable = async (caller: Caller) =>
  (await world.as(caller, `select name from storage.objects where bucket_id = 'products'`)).length
const bells = (person: Person) =>
  world.as(person, 'select title, message from public.notifications order by created_at')
const soldOut = { code: 'PT409', message: 'This product is sold out' }

describe('a product', () => {
  it('is a draft for its creator until it is published, and then for everyone [OFFER-05]', async () => {
    const id = await save(creator, { files: [] })
    for (const caller of ['anon', fan] as const) expect(await page(caller, id)).toBeUndefined()
    expect(await page(creator, id)).toMatchObject({ status: 'draft', is_own: true, files: [], sold: 0 })
    await expect(setStatus(creator, id)).rejects.toMatchObject({ code: 'PT409' })
    await save(creator, { id, files: [await file('Brushes.ZIP'), await file('read me')] })
    await setStatus(creator, id)
    for (const caller of ['anon', fan] as const) {
      expect(await page(caller, id)).toMatchObject({
        title: 'Brushes',
        description: 'Forty brushes',
        price_cents: 1000,
        your_price_cents: 1000,
        creator_username: creator.username,
        stock: null,
        sold: null,
        bought_at: null,
        is_own: false,
        // Nothing that the files are called by.
        files: [{ format: 'zip', size_bytes: 0 }, { size_bytes: 0 }],
      })
      expect(await world.as(caller, 'select title from public.get_products($1)', [creator.profileId])).toEqual([
        { title: 'Brushes' },
      ])
      await expect(
        caller === 'anon' ? world.as(caller, 'select from public.product_files') : Promise.reject(refused),
      ).rejects.toMatchObject(refused)
    }
    expect(await readable(fan)).toBe(0)
    expect(await readable(creator)).toBe(2)
    await expect(save(creator, { id, files: [] })).rejects.toMatchObject({ code: 'PT409' })
  })

  it('takes only files and covers that its creator has uploaded, twenty at most [OFFER-05]', async () => {
    const rival = await world.buildCreator()
    const stolen = { path: await world.buildFile(creator, 'products'), name: 'a' }
    await expect(save(rival, { files: [stolen] })).rejects.toMatchObject({ code: 'PT403' })
    await expect(save(creator, { files: [{ path: `${creator.userId}/none`, name: 'a' }] })).rejects.toMatchObject({
      code: 'PT422',
    })
    await save(creator, { files: [stolen] })
    await expect(save(creator, { files: [stolen] })).rejects.toMatchObject({ code: 'PT422' })
    await expect(save(creator, { files: [{ ...stolen, path: '' }] })).rejects.toMatchObject({ code: 'PT403' })
    const one = await file('a')
    await expect(save(creator, { files: [one, one] })).rejects.toBeDefined()
    const many = await Promise.all(Array.from({ length: 21 }, (_, place) => file(`${place}.txt`)))
    await expect(save(creator, { files: many })).rejects.toMatchObject({ code: '22023' })
    expect(await save(creator, { files: many.slice(1) })).toBeDefined()
    await expect(save(creator, { files: [{ ...one, name: ' ' }] })).rejects.toMatchObject({
      constraint: 'product_files_name_length',
    })
    const cover = await world.buildFile(rival, 'covers')
    await expect(save(creator, { cover })).rejects.toMatchObject({ code: 'PT403' })
    const own = await world.buildFile(creator, 'covers')
    const id = await save(creator, { cover: own })
    await save(creator, { id, cover: null, files: [await file('b')] })
    expect(await world.query('select from storage.objects where name = $1', [own])).toEqual([])
  })

  it.each([
    [{ price: 99 }, 'products_price_range'],
    [{ price: 1_000_000 }, 'products_price_range'],
    [{ percentOff: 91 }, 'products_discount_range'],
    [{ stock: 0 }, 'products_stock_range'],
    [{ title: 'x'.repeat(101) }, 'products_title_length'],
  ])('rejects %j [OFFER-05]', async (details, constraint) => {
    await expect(save(creator, details)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('is sold only by approved creators whose account takes charges [OFFER-05]', async () => {
    await expect(save(fan)).rejects.toMatchObject({ code: 'PT403' })
    const id = await save(creator)
    await world.query('update private.profiles set stripe_charges_enabled = false where id = $1', [creator.profileId])
    await expect(setStatus(creator, id)).rejects.toMatchObject({ code: 'PT409' })
    for (const call of ['delete_product($1)', `set_product_status($1, 'archived')`])
      await expect(world.as(fan, `select public.${call}`, [id])).rejects.toMatchObject({ code: 'PT404' })
  })

  it('is out of sight of blocked users, and when its creator is private or suspended [OFFER-05]', async () => {
    const id = await publish()
    const buyer = await world.buildPerson()
    await books.buyProduct(buyer, creator, id)
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await page(fan, id)).toBeUndefined()
    expect(await world.as(fan, 'select from public.get_products($1)', [creator.profileId])).toEqual([])
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    expect(await page('anon', id)).toBeUndefined()
    expect(await page(buyer, id)).toMatchObject({ title: 'Brushes' })
    expect(await readable(buyer)).toBe(1)
    await world.query(
      `update private.profiles set is_private = false, suspended_at = now(), suspension_reason = 'Spam', was_private = false where id = $1`,
      [creator.profileId],
    )
    expect(await page('anon', id)).toBeUndefined()
    expect(await readable(buyer)).toBe(0)
  })
})

describe('the price', () => {
  it('is the creator’s, less for subscribers, and never below a dollar [OFFER-05]', async () => {
    const id = await publish(creator, { price: 1001, percentOff: 50 })
    const cheap = await publish(creator, { price: 150, percentOff: 90 })
    expect(await quote(fan, id)).toMatchObject({ amount_cents: 1001, title: expect.stringMatching(/^"Brushes" by /) })
    await world.subscribe(fan, creator)
    expect(await quote(fan, id)).toMatchObject({ amount_cents: 500 })
    expect(await quote(fan, cheap)).toMatchObject({ amount_cents: 100 })
    expect(await page(fan, id)).toMatchObject({ price_cents: 1001, your_price_cents: 500 })
    await expect(quote(fan, id, 700)).rejects.toMatchObject({ code: 'PT400' })
  })

  it('may be more where the creator lets fans choose [OFFER-05]', async () => {
    const id = await publish(creator, { price: 500, takesMore: true })
    expect(await quote(fan, id)).toMatchObject({ amount_cents: 500 })
    expect(await quote(fan, id, 2500)).toMatchObject({ amount_cents: 2500 })
    await expect(quote(fan, id, 499)).rejects.toMatchObject({
      code: 'PT400',
      message: 'The lowest price of this product is $5.00',
    })
    await expect(quote(fan, id, 1_000_000)).rejects.toMatchObject({ code: 'PT400' })
  })

  it('is quoted for nobody who can’t buy [OFFER-05]', async () => {
    const id = await publish()
    await expect(quote(creator, id)).rejects.toMatchObject({ code: 'PT409' })
    await world.as(fan, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      fan.profileId,
      creator.profileId,
    ])
    await expect(quote(fan, id)).rejects.toMatchObject({ code: 'PT403' })
    await setStatus(creator, id, 'archived')
    await expect(quote(await world.buildPerson(), id)).rejects.toMatchObject({ code: 'PT404' })
    await expect(quote(fan, randomUUID())).rejects.toMatchObject({ code: 'PT404' })
  })
})

describe('buying a product', () => {
  it('opens its files for good, pays the creator, and counts once [OFFER-05]', async () => {
    const id = await publish()
    const payment = await books.buyProduct(fan, creator, id, { cause: 'pi_once' })
    expect(await books.buyProduct(fan, creator, id, { cause: 'pi_once' })).toBe(payment)
    expect(await page(fan, id)).toMatchObject({
      bought_at: expect.any(Date),
      files: [{ name: 'Brushes.zip', path: expect.stringContaining(creator.userId) }],
    })
    expect(await readable(fan)).toBe(1)
    expect(await world.as(fan, 'select name from public.product_files')).toEqual([{ name: 'Brushes.zip' }])
    expect(await page(creator, id)).toMatchObject({ sold: 1 })
    expect(await books.earnings(creator)).toBe('900')
    expect(await bells(creator)).toContainEqual({
      title: `${fan.username} bought "Brushes"`,
      message: 'You earned $9.00.',
    })
    expect(await world.as(fan, 'select transaction_type, bought_product_id from public.transactions')).toEqual([
      { transaction_type: 'product', bought_product_id: id },
    ])
    await expect(quote(fan, id)).rejects.toMatchObject({
      code: 'PT409',
      message: "You've already bought this product",
    })
    const [day] = await world.as(
      creator,
      'select products, total from public.get_earnings_series($1) where total > 0',
      [creator.profileId],
    )
    expect(day).toEqual({ products: '900', total: '900' })
    expect(await world.query(`select kind from private.payment_emails where transaction_id = $1`, [payment])).toEqual([
      { kind: 'receipt' },
    ])
    await setStatus(creator, id, 'archived')
    expect(await readable(fan)).toBe(1)
    expect(await page(fan, id)).toMatchObject({ status: 'archived' })
    expect(await page('anon', id)).toBeUndefined()
  })

  it('opens no file of the same name elsewhere [OFFER-05]', async () => {
    const sold = await file('Brushes.zip')
    const id = await publish(creator, { files: [sold] })
    await books.buyProduct(fan, creator, id)
    await world.query(`insert into storage.objects (bucket_id, name, metadata) values ('verification', $1, '{}')`, [
      sold.path,
    ])
    expect(await world.as(fan, 'select bucket_id from storage.objects where name = $1', [sold.path])).toEqual([
      { bucket_id: 'products' },
    ])
  })

  it('twice refunds the second payment, and so does a product that is gone [OFFER-05]', async () => {
    const id = await publish()
    await books.buyProduct(fan, creator, id)
    const again = await books.buyProduct(fan, creator, id)
    const lost = await books.buyProduct(fan, creator, randomUUID())
    expect(await books.tasks(again)).toMatchObject([{ kind: 'refund' }])
    expect(await books.tasks(lost)).toMatchObject([{ kind: 'refund' }])
    const admin = await world.buildAdmin()
    const rows = await world.as(
      admin,
      `select target, is_repeated, refund_effect from public.get_payments($1) where transaction_type = 'product' and target is not null`,
      [fan.userId],
    )
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ target: '"Brushes"' })
    await books.refund(again)
    expect(await readable(fan)).toBe(1)
    await books.refund(lost)
  })

  it('ends with a refund, and returns with a dispute that is won [OFFER-05]', async () => {
    const id = await publish()
    const first = await books.buyProduct(fan, creator, id)
    await books.refund(first)
    expect(await readable(fan)).toBe(0)
    expect(await page(fan, id)).toMatchObject({ bought_at: null, files: [{ format: 'zip' }] })
    expect(await world.as(fan, 'select from public.get_library()')).toEqual([])

    const second = await books.buyProduct(fan, creator, id)
    await books.dispute(second, 'open')
    expect(await readable(fan)).toBe(0)
    await books.dispute(second, 'won')
    expect(await readable(fan)).toBe(1)
    expect(await page(creator, id)).toMatchObject({ sold: 1 })
  })

  it('again during a dispute keeps one payment when the dispute is won [OFFER-05]', async () => {
    const id = await publish()
    const first = await books.buyProduct(fan, creator, id)
    await books.dispute(first, 'open')
    await books.buyProduct(fan, creator, id)
    await books.dispute(first, 'won')
    expect(await books.tasks(first)).toContainEqual(expect.objectContaining({ kind: 'refund' }))
    expect(await readable(fan)).toBe(1)
  })
})

describe('a limited product', () => {
  let other: Person
  beforeEach(async () => {
    other = await world.buildPerson()
  })

  it('goes to one of two fans at the same moment, and the other isn’t charged [OFFER-05]', async () => {
    const id = await publish(creator, { stock: 1 })
    const outcomes = await Promise.allSettled([hold(fan, id), hold(other, id)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [winner, loser] = outcomes[0]?.status === 'fulfilled' ? [fan, other] : [other, fan]
    await expect(quote(loser, id)).rejects.toMatchObject(soldOut)
    expect(await page(loser, id)).toMatchObject({ stock_left: 0 })
    expect(await page(winner, id)).toMatchObject({ stock_left: 1 })
    expect(await quote(winner, id)).toMatchObject({ amount_cents: 1000 })
    await books.buyProduct(winner, creator, id)
    await expect(hold(loser, id)).rejects.toMatchObject(soldOut)
    expect(await page(creator, id)).toMatchObject({ stock: 1, stock_left: 0, sold: 1 })
  })

  it('is free again when a hold ends, or a payment is refunded [OFFER-05]', async () => {
    const id = await publish(creator, { stock: 1 })
    await hold(fan, id, -1)
    await hold(other, id)
    await expect(hold(fan, id)).rejects.toMatchObject(soldOut)
    const payment = await books.buyProduct(other, creator, id)
    await expect(quote(fan, id)).rejects.toMatchObject(soldOut)
    await books.refund(payment)
    expect(await quote(fan, id)).toMatchObject({ amount_cents: 1000 })
  })

  it('refunds a payment that comes too late at once, and says so [OFFER-05]', async () => {
    const id = await publish(creator, { stock: 1 })
    await hold(fan, id)
    const late = await books.buyProduct(other, creator, id)
    expect(await books.tasks(late)).toMatchObject([{ kind: 'refund' }])
    expect(await readable(other)).toBe(0)
    expect(await bells(other)).toMatchObject([{ title: 'Product not bought' }])
    await books.buyProduct(fan, creator, id)
    expect(await readable(fan)).toBe(1)
    await books.refund(late)
  })

  it('sells one to payments at the same moment without holds [OFFER-05]', async () => {
    const id = await publish(creator, { stock: 1 })
    const payments = await Promise.all([fan, other].map((buyer) => books.buyProduct(buyer, creator, id)))
    const due = await Promise.all(payments.map((payment) => books.tasks(payment)))
    expect(due.flat()).toHaveLength(1)
    expect((await readable(fan)) + (await readable(other))).toBe(1)
  })
})

describe('taking a product down', () => {
  const takeDown = async (id: string, by: Caller) =>
    world.as(by, `select public.take_down('product', $1, ' Stolen ')`, [id])

  it('ends its sale for good, tells its creator why, and leaves it to its buyers [D43, OFFER-05]', async () => {
    const admin = await world.buildAdmin()
    const id = await publish()
    await books.buyProduct(fan, creator, id)
    const other = await world.buildPerson()
    await world.as(
      other,
      `insert into public.reports (reporter_id, target_type, target_id, reason) values ($1, 'product', $2, 'copyright')`,
      [other.profileId, id],
    )
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, bought_product_id, amount_cents, url)
       values ($1, 'product', $2, $3, $4, 1000, 'https://example.com')`,
      [`cs_${id}`, other.profileId, creator.profileId, id],
    )
    for (const caller of [fan, creator]) await expect(takeDown(id, caller)).rejects.toMatchObject(refused)
    await takeDown(id, admin)
    await expect(takeDown(id, admin)).rejects.toMatchObject({ code: 'PT404' })
    expect(await page('anon', id)).toBeUndefined()
    expect(await page(fan, id)).toMatchObject({ status: 'archived', taken_down_at: null })
    expect(await readable(fan)).toBe(1)
    for (const caller of [creator, admin])
      expect(await page(caller, id)).toMatchObject({ taken_down_at: expect.any(Date) })
    const ended = { code: 'PT409', message: "An admin took this product down. It can't be changed or sold any more." }
    await expect(setStatus(creator, id)).rejects.toMatchObject(ended)
    await expect(save(creator, { id })).rejects.toMatchObject(ended)
    await expect(quote(other, id)).rejects.toMatchObject({ code: 'PT404' })
    expect((await bells(creator)).at(-1)).toEqual({
      title: 'Product taken down for policy violation',
      message: '"Brushes"\nReason: Stolen',
    })
    expect(
      await world.as(
        admin,
        'select status, resolution, still_there from public.get_reports(true) where target_id = $1',
        [id],
      ),
    ).toEqual([{ status: 'resolved', resolution: 'Stolen', still_there: false }])
    expect(await world.as(admin, 'select action, details from public.get_audit_log(subject => $1)', [id])).toEqual([
      { action: 'take_down_product', details: { reason: 'Stolen' } },
    ])
    expect(await world.query('select kind from private.payment_tasks where target = $1', [`cs_${id}`])).toEqual([
      { kind: 'close_checkout' },
    ])
  })

  it('refunds a payment that arrives later, and lets its creator delete what nobody has bought [D43, OFFER-05]', async () => {
    const id = await publish()
    await takeDown(id, await world.buildAdmin())
    const late = await books.buyProduct(fan, creator, id)
    expect(await books.tasks(late)).toMatchObject([{ kind: 'refund' }])
    expect(await readable(fan)).toBe(0)
    expect(await bells(fan)).toEqual([
      {
        title: 'Product not bought',
        message: '"Brushes" isn\'t for sale anymore. You\'ll get a full refund.',
      },
    ])
    await books.refund(late)
    await world.as(creator, 'select public.delete_product($1)', [id])
    expect(await page(creator, id)).toBeUndefined()
  })
})

it('closes pages whose hold is ending, once, and no others [OFFER-05]', async () => {
  const [limited, unlimited] = [await publish(creator, { stock: 2 }), await publish()]
  const openPage = (buyer: Person, product: string, session: string) =>
    world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, bought_product_id, amount_cents, url)
       values ($1, 'product', $2, $3, $4, 1000, 'https://example.com')`,
      [session, buyer.profileId, creator.profileId, product],
    )
  const other = await world.buildPerson()
  await hold(fan, limited, 600)
  await hold(other, limited, 60)
  await openPage(fan, limited, 'cs_held')
  await openPage(other, limited, 'cs_ending')
  await openPage(other, unlimited, 'cs_unlimited')
  for (let turn = 0; turn < 2; turn++) await world.as('service_role', 'select private.close_product_pages()')
  const closed = await world.query(
    `select target from private.payment_tasks where kind = 'close_checkout' and target like 'cs\\_%'`,
  )
  expect(closed.map(({ target }) => target).filter((target) => !String(target).includes('-'))).toEqual(['cs_ending'])
})

describe('a new version', () => {
  const announce = async () => {
    for (;;) {
      const [row] = await world.as('service_role', 'select private.announce_products() as count')
      if (row?.count === 0) return
    }
  }

  it('notifies each buyer once [OFFER-05]', async () => {
    const [one, two] = [await file('one.zip'), await file('two.zip')]
    const id = await publish(creator, { files: [one] })
    await books.buyProduct(fan, creator, id)
    await save(creator, { id, files: [one] })
    await announce()
    expect(await bells(fan)).toEqual([])
    await save(creator, { id, files: [one, two], note: 'Ten more brushes' })
    const late = await world.buildPerson()
    await books.buyProduct(late, creator, id)
    await announce()
    await announce()
    expect(await bells(fan)).toEqual([{ title: 'New version of "Brushes"', message: 'Ten more brushes' }])
    expect(await bells(late)).toEqual([])
    expect(await page(fan, id)).toMatchObject({ version: 2, version_note: 'Ten more brushes' })
    expect(await world.as(fan, 'select title, is_new_version from public.get_library()')).toEqual([
      { title: 'Brushes', is_new_version: true },
    ])
  })

  it('leaves buyers the files that they paid for, and gives later ones only its own [OFFER-05]', async () => {
    const [old, fresh] = [await file('old.zip'), await file('new.zip')]
    const id = await publish(creator, { files: [old] })
    await books.buyProduct(fan, creator, id)
    await save(creator, { id, files: [fresh], note: 'All new' })
    const late = await world.buildPerson()
    await books.buyProduct(late, creator, id)
    expect((await page(fan, id))?.files).toMatchObject([{ name: 'new.zip' }, { name: 'old.zip', is_earlier: true }])
    expect((await page(late, id))?.files).toMatchObject([{ name: 'new.zip' }])
    expect([await readable(fan), await readable(late)]).toEqual([2, 1])
    await expect(
      world.as(creator, `delete from storage.objects where bucket_id = 'products' and name = $1 returning name`, [
        old.path,
      ]),
    ).resolves.toEqual([])
  })
})

describe('the end of a product', () => {
  it('is its deletion while nobody has bought it, and otherwise the archive [OFFER-05]', async () => {
    const id = await publish()
    await world.as(creator, 'select public.delete_product($1)', [id])
    expect(await page(creator, id)).toBeUndefined()
    expect(await readable(creator)).toBe(0)
    const sold = await publish()
    await books.buyProduct(fan, creator, sold)
    await expect(world.as(creator, 'select public.delete_product($1)', [sold])).rejects.toMatchObject({
      code: 'PT409',
    })
  })

  it('closes the pages on which it could still be paid [OFFER-05]', async () => {
    const id = await publish()
    await world.query(
      `insert into private.checkout_sessions (id, kind, profile_id, creator_id, bought_product_id, amount_cents, url)
       values ($1, 'product', $2, $3, $4, 1000, 'https://example.com')`,
      [`cs_${id}`, fan.profileId, creator.profileId, id],
    )
    await setStatus(creator, id, 'archived')
    expect(await world.query('select kind from private.payment_tasks where target = $1', [`cs_${id}`])).toEqual([
      { kind: 'close_checkout' },
    ])
  })

  it('comes with the account of its creator; the payments stay for both sides [OFFER-05, SET-14]', async () => {
    const leave = (person: Person) => world.as('service_role', 'select private.delete_account($1, $1)', [person.userId])
    const id = await publish(creator, { stock: 5 })
    const other = await world.buildPerson()
    for (const buyer of [fan, other]) await books.buyProduct(buyer, creator, id)
    await hold(await world.buildPerson(), id)
    await leave(other)
    expect(await page(creator, id)).toMatchObject({ sold: 1 })
    await leave(creator)
    expect(await world.as(fan, 'select amount, bought_product_id from public.transactions')).toEqual([
      { amount: '1000', bought_product_id: null },
    ])
    expect(await readable(fan)).toBe(0)
    expect(await world.query(`select from private.storage_removals where bucket_id = 'products'`)).not.toEqual([])
  })
})

describe('the library', () => {
  async function fill() {
    const post = await world.buildPost(creator, { type: 'ppv' })
    await books.buy(fan, creator, post.id, { at: '2026-01-01T00:00:00Z' })
    const [message] = await world.as(
      creator,
      `insert into public.messages (sender_id, recipient_id, content, is_paid, price) values ($1, $2, 'The pier at dawn', true, 500) returning id`,
      [creator.profileId, fan.profileId],
    )
    await world.as('service_role', `select private.post_message_unlock($1, $2, $3, $4, 500, 50, 'usd', now())`, [
      `pi_${randomUUID()}`,
      fan.profileId,
      creator.profileId,
      message?.id,
    ])
    const product = await publish()
    await books.buyProduct(fan, creator, product)
    const [offer] = await world.query(
      `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ($1, 'A talk', 60, 5000) returning id`,
      [creator.profileId],
    )
    const [slot] = await world.query(
      `insert into public.session_slots (offer_id, starts_at) values ($1, now() + interval '3 days') returning id`,
      [offer?.id],
    )
    const [booking] = await world.as(fan, 'select id from public.book_session($1)', [slot?.id])
    await books.paySession(fan, creator, String(booking?.id), { gross: 5000 })
    return { post: post.id, message: message?.id, product, session: booking?.id }
  }
  const library = (text = '', values: unknown[] = []) =>
    world.as(fan, `select * from public.get_library(${text})`, values)

  it('holds everything that a fan has bought, newest first, a page at a time [OFFER-06]', async () => {
    const ids = await fill()
    expect(await library()).toMatchObject([
      { kind: 'session', id: ids.session, title: 'A talk', starts_at: expect.any(Date) },
      { kind: 'product', id: ids.product, title: 'Brushes', files: 1, creator_username: creator.username },
      { kind: 'message', id: ids.message, title: null, excerpt: 'The pier at dawn' },
      { kind: 'post', id: ids.post, title: 'A title', media_types: ['image'] },
    ])
    const [, , third] = await library()
    const [last, ...none] = await library('before => $1, before_id => $2', [third?.bought_at, third?.entry_id])
    expect([last?.kind, none]).toEqual(['post', []])
    expect(await library('page_size => 2')).toHaveLength(2)
    expect(await world.as(await world.buildPerson(), 'select from public.get_library()')).toEqual([])
    await expect(world.as('anon', 'select from public.get_library()')).rejects.toMatchObject(refused)
  })

  it('can be searched by title, text, and creator, and filtered by type [OFFER-06]', async () => {
    await fill()
    const kinds = async (text: string, values: unknown[]) => (await library(text, values)).map(({ kind }) => kind)
    expect(await kinds('search => $1', ['BRUSH'])).toEqual(['product'])
    expect(await kinds('search => $1', ['pier'])).toEqual(['message'])
    expect(await kinds('search => $1', [creator.username])).toHaveLength(4)
    expect(await kinds('search => $1', ['100%'])).toEqual([])
    for (const kind of ['post', 'message', 'product', 'session'])
      expect(await kinds('kind => $1', [kind])).toEqual([kind])
    await expect(library(`kind => 'cat'`)).rejects.toMatchObject({ code: '22023' })
  })

  it('reads a page of each kind by an index, however much there is [OFFER-06]', async () => {
    await fill()
    const plans = await world.plansOf(
      `select set_config('request.jwt.claims', '{"role":"authenticated","sub":"${fan.userId}"}', false); select * from public.get_library()`,
      { enable_seqscan: 'off', enable_sort: 'on' },
    )
    const text = plans.join('\n')
    for (const index of [
      'purchases_buyer_id_idx',
      'message_unlocks_buyer_id_idx',
      'product_purchases_buyer_id_idx',
      'session_bookings_library_idx',
    ])
      expect(text).toContain(index)
  })
})
