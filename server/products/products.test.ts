import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendPaymentEmails } from '../payments/emails/payment-emails.ts'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildProductForSale, uploadProductFile } from '../payments/testing/product-for-sale.ts'
import { buildShop, call, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { announceProducts } from './announce-products.ts'

let shop: Shop
let creator: Person
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const words = 'one two three four five six seven'
type Paying = { status?: string; url?: string; paymentId?: string }
const buy = (targetId: string, more = {}, person = fan) =>
  call<Paying>(person, 'create-payment-checkout', { kind: 'product', targetId, ...more })
const refuse = (targetId: string, more = {}, person = fan) =>
  refusalOf(person, 'create-payment-checkout', { kind: 'product', targetId, ...more })
const verify = (sessionId: string | null) => call(fan, 'verify-payment', { sessionId })
const pageOf = async (id: string, person = fan) =>
  (await person.client.rpc('get_product', { product_id: id }).single()).data as {
    files: { path?: string; name?: string }[]
    stock_left: number | null
  }
const linkTo = async (path: string, person = fan) =>
  (await person.client.storage.from('products').createSignedUrl(path, 60)).data?.signedUrl
const payments = async (person = fan) =>
  shop.gateway.query<{ id: string; status: string; amount: string }>(
    `select id, status, amount from public.transactions where from_user_id = $1 and transaction_type = 'product' order by created_at`,
    [person.profileId],
  )

describe('buying a product', () => {
  it('leads through checkout to its files, a receipt, and the library [OFFER-05, OFFER-06]', async () => {
    const id = await buildProductForSale(creator)
    expect((await pageOf(id)).files).toEqual([{ format: 'zip', size_bytes: words.length }])
    const { url } = await buy(id)
    const { location } = await pay(url ?? '')
    expect(location).toMatch(`${shop.gateway.url}/product/${id}?bought=cs_`)
    expect(await verify(new URL(location ?? '').searchParams.get('bought'))).toEqual({
      status: 'paid',
      kind: 'product',
      targetId: id,
      amountCents: 1200,
      hasAccess: true,
      refund: null,
    })
    await shop.settled()
    expect(await payments()).toMatchObject([{ status: 'completed', amount: '1200' }])
    const { data } = await fan.client.rpc('get_library')
    expect(data).toMatchObject([{ kind: 'product', id, title: 'Brushes' }])
    expect(await refuse(id)).toMatchObject({ status: 409, body: { error: "You've already bought this product" } })
    await sendPaymentEmails(shop.gateway.services)
    const [mail] = await shop.gateway.query<{ sent: boolean }>(
      'select sent_at is not null as sent from private.payment_emails where profile_id = $1',
      [fan.profileId],
    )
    expect(mail).toEqual({ sent: true })
    await expectBalancedBooks(shop)
  })

  it('opens one page for two clicks, and charges a saved card once [OFFER-05]', async () => {
    const [first, second] = await Promise.all([buildProductForSale(creator), buildProductForSale(creator)])
    const [one, two] = await Promise.all([buy(first), buy(first)])
    expect(two).toEqual(one)
    await pay(one.url ?? '')
    const { url } = await call<{ url: string }>(fan, 'save-card', { returnPath: '/settings' })
    await pay(url)
    await shop.settled()
    expect(await buy(second, { savedCard: 'ask' })).toMatchObject({
      status: 'confirm',
      amountCents: 1200,
      title: `"Brushes" by ${creator.username}`,
    })
    const attemptId = crypto.randomUUID()
    const paid = await buy(second, { savedCard: 'use', attemptId })
    expect(paid.status).toBe('paid')
    expect(await refuse(second, { savedCard: 'use', attemptId })).toMatchObject({ status: 409 })
    await shop.settled()
    expect(await payments()).toHaveLength(2)
    await expectBalancedBooks(shop)
  })

  it('takes an amount only where fans may pay more [OFFER-05]', async () => {
    const fixed = await buildProductForSale(creator)
    const open = await buildProductForSale(creator, { price: 500, takesMore: true })
    expect(await refuse(fixed, { amountCents: 2000 })).toMatchObject({ status: 400 })
    for (const amountCents of [99, 499, 1_000_000])
      expect(await refuse(open, { amountCents })).toMatchObject({ status: 400 })
    const { url } = await buy(open, { amountCents: 2500 })
    await pay(url ?? '')
    await shop.settled()
    expect(await payments()).toMatchObject([{ amount: '2500' }])
  })

  it('is for products that the fan can see and doesn’t sell [OFFER-05]', async () => {
    const id = await buildProductForSale(creator)
    expect(await refuse(id, {}, creator)).toMatchObject({ status: 409 })
    expect(await refuse(crypto.randomUUID())).toMatchObject({ status: 404, body: { code: 'product_not_found' } })
    await creator.client.rpc('set_product_status', { product_id: id, status: 'archived' }).throwOnError()
    expect(await refuse(id)).toMatchObject({ status: 404 })
  })

  it('ends with a refund, also of the links that are made later [OFFER-05]', async () => {
    const id = await buildProductForSale(creator)
    const { url } = await buy(id)
    const { location } = await pay(url ?? '')
    await shop.settled()
    const { path = '' } = (await pageOf(id)).files[0] ?? {}
    expect(await linkTo(path)).toBeDefined()
    const [payment] = await payments()
    await call(creator, 'refund-payment', { transactionId: payment?.id, reason: 'Wrong brushes' })
    await shop.settled()
    expect(await linkTo(path)).toBeUndefined()
    expect((await pageOf(id)).files[0]).not.toHaveProperty('path')
    expect(await verify(new URL(location ?? '').searchParams.get('bought'))).toMatchObject({
      status: 'refunded',
      hasAccess: false,
      refund: { amountCents: 1200 },
    })
    // They may buy it again.
    await pay((await buy(id)).url ?? '')
    await shop.settled()
    expect(await linkTo(path)).toBeDefined()
    await expectBalancedBooks(shop)
  })
})

describe('the last copy', () => {
  it('goes to one of two fans, and the other is never charged [OFFER-05]', async () => {
    const id = await buildProductForSale(creator, { stock: 1 })
    const other = await shop.gateway.signUp()
    const tries = await Promise.allSettled([buy(id), buy(id, {}, other)])
    const pages = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value.url ?? ''] : []))
    expect(pages).toHaveLength(1)
    expect(tries.map(({ status }) => status)).toContain('rejected')
    await pay(pages[0] ?? '')
    await shop.settled()
    const all = [...(await payments()), ...(await payments(other))]
    expect(all).toMatchObject([{ status: 'completed' }])
    for (const person of [fan, other]) expect((await pageOf(id, person)).stock_left).toBe(0)
    await expectBalancedBooks(shop)
  })

  it('is refunded at once to a fan whose page outlived its hold [OFFER-05]', async () => {
    const id = await buildProductForSale(creator, { stock: 1 })
    const { url = '' } = await buy(id)
    const lapse = `update private.product_holds set expires_at = now() - interval '1 second'`
    await shop.gateway.query(lapse)
    const other = await shop.gateway.signUp()
    await pay((await buy(id, {}, other)).url ?? '')
    await pay(url)
    await shop.settled()
    expect(await payments(other)).toMatchObject([{ status: 'completed' }])
    expect(await payments()).toMatchObject([{ status: 'refunded' }])
    await expectBalancedBooks(shop)
  })
})

it('closes a page whose hold ends, and keeps one that is held [OFFER-05]', async () => {
  const [lapsed, held] = [
    await buildProductForSale(creator, { stock: 1 }),
    await buildProductForSale(creator, { stock: 1 }),
  ]
  const [first, second] = [await buy(lapsed), await buy(held)]
  await shop.gateway.query('update private.product_holds set expires_at = now() where product_id = $1', [lapsed])
  await shop.gateway.query('select private.close_product_pages()')
  await shop.settled()
  const states = await shop.gateway.query<{ url: string; status: string }>(
    'select url, status from private.checkout_sessions where profile_id = $1 order by created_at',
    [fan.profileId],
  )
  expect(states).toEqual([
    { url: first.url, status: 'expired' },
    { url: second.url, status: 'open' },
  ])
  // The next try opens another page.
  expect((await buy(lapsed)).url).not.toBe(first.url)
})

describe('a download', () => {
  it('continues in the middle, has the name of the file, and is never shown [OFFER-05]', async () => {
    const page = '<script>alert(1)</script>'
    const files = [
      { path: await uploadProductFile(creator), name: 'Brüshes 1.zip' },
      { path: await uploadProductFile(creator, page, 'text/html'), name: 'read me.html' },
    ]
    const id = await buildProductForSale(creator, { files })
    await pay((await buy(id)).url ?? '')
    await shop.settled()
    const [first, second] = (await pageOf(id)).files
    // As the app does: the client would encode the name twice.
    const link = `${await linkTo(first?.path ?? '')}&download=${encodeURIComponent(first?.name ?? '')}`
    const part = await fetch(link, { headers: { range: 'bytes=4-6' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-6/${words.length}`,
      'two',
    ])
    const rest = await fetch(link, {
      headers: { range: 'bytes=8-', 'if-range': part.headers.get('etag') ?? '' },
    })
    expect([rest.status, await rest.text()]).toEqual([206, words.slice(8)])
    expect(rest.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent('Brüshes 1.zip')}`)

    // Without the name, as the caller, and under any type: it is saved all the same.
    const bare = (await linkTo(second?.path ?? '')) ?? ''
    const headers = { apikey: shop.gateway.secrets.anonKey, authorization: `Bearer ${await tokenOf(fan)}` }
    for (const [address, init] of [
      [bare, {}],
      [`${shop.gateway.url}/storage/v1/object/products/${second?.path}`, { headers }],
    ] as const) {
      const answer = await fetch(address, init)
      expect(await answer.text()).toBe(page)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('is kept as it was uploaded, of any type, and only by those who paid [OFFER-05]', async () => {
    const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 1, 2, 3])
    const path = await uploadProductFile(creator, bytes, 'image/jpeg')
    await buildProductForSale(creator, { files: [{ path, name: 'raw.jpg' }] })
    const { data } = await creator.client.storage.from('products').download(path)
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes)
    for (const person of [fan, { client: shop.gateway.anon } as Person])
      expect(await linkTo(path, person)).toBeUndefined()
    const refusedUpload = await fan.client.storage.from('products').upload(`${fan.userId}/a`, 'a')
    expect(refusedUpload.error).toBeTruthy()
    const again = await creator.client.storage.from('products').upload(path, 'new', { upsert: true })
    expect(again.error).toBeTruthy()
  })
})

it('notifies buyers of a new version [OFFER-05]', async () => {
  const path = await uploadProductFile(creator)
  const id = await buildProductForSale(creator, { files: [{ path, name: 'a.zip' }] })
  await pay((await buy(id)).url ?? '')
  await shop.settled()
  await creator.client
    .rpc('save_product', {
      product_id: id,
      title: 'Brushes',
      price_cents: 1200,
      files: [{ path, name: 'b.zip' }],
      version_note: 'Ten more',
    })
    .throwOnError()
  await announceProducts(shop.gateway.services.database.service)
  const { data } = await fan.client.from('notifications').select('title, message').eq('type', 'other')
  expect(data).toEqual([{ title: 'New version of "Brushes"', message: 'Ten more' }])
})

async function tokenOf({ client }: Pick<Person, 'client'>): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? ''
}
