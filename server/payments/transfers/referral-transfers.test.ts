import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'
import { payReferrals } from './referral-transfers.ts'

let shop: Shop
beforeAll(async () => {
  shop = await buildShop()
})
afterAll(() => shop.close())

/** An approved creator who signed up with a referrer's code. */
async function invite(referrer: Person): Promise<Person> {
  const creator = await shop.buildCreator()
  await shop.gateway.query(
    `insert into public.referrals (referrer_id, referred_id, referral_code, status, completed_at)
     select $1::uuid, $2::uuid, 'REF' || upper(left($1::text, 8)), 'completed', now()`,
    [referrer.profileId, creator.profileId],
  )
  return creator
}
const tip = async (creator: Person, amountCents: number) => {
  const fan = await shop.gateway.signUp()
  const order = { kind: 'tip', targetId: creator.profileId, amountCents }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  await pay(url)
  await shop.settled()
}
const held = async (person: Person) => shop.sandbox.books().accounts[await shop.accountOf(person)] ?? 0
const stats = async (person: Person) =>
  (await person.client.rpc('get_referral_stats', { user_profile_id: person.profileId })).data

it('pays a commission of 5 % from the platform’s fee, and deducts a refund from the next one [REF-19, REF-21, D17]', async () => {
  const referrer = await shop.buildCreator()
  const creator = await invite(referrer)
  await tip(creator, 10_000) // the creator earns $90.00, the referrer $4.50 of the platform's $10.00
  expect(await stats(referrer)).toMatchObject({ total_earned: 450 })
  await expectBalancedBooks(shop)
  await Promise.all([payReferrals(shop.gateway.services), payReferrals(shop.gateway.services)])
  expect(await held(referrer)).toBe(450)
  await expectBalancedBooks(shop)

  const [payment] = await shop.gateway.query<{ id: string }>(
    `select id from public.transactions where to_user_id = $1 and transaction_type = 'tip'`,
    [creator.profileId],
  )
  await call(creator, 'refund-payment', { transactionId: payment?.id, reason: 'A slip of the finger' })
  await shop.settled()
  await payReferrals(shop.gateway.services)
  expect(await held(referrer)).toBe(450) // nothing is taken from their account…
  await tip(creator, 20_000)
  await payReferrals(shop.gateway.services)
  expect(await held(referrer)).toBe(900) // … the next commission of $9.00 is paid less the $4.50
  await expectBalancedBooks(shop)
})

it('keeps it for a user without a payout account until they have one [REF-21]', async () => {
  const referrer = await shop.buildApproved()
  await tip(await invite(referrer), 10_000)
  await payReferrals(shop.gateway.services)
  await expectBalancedBooks(shop)
  await call(referrer, 'create-stripe-account')
  await payReferrals(shop.gateway.services)
  expect(await held(referrer)).toBe(0) // it can't be paid out yet
  await shop.onboard(referrer)
  await payReferrals(shop.gateway.services)
  expect(await held(referrer)).toBe(450)
  await expectBalancedBooks(shop)
})

it('pays once, even if the response was lost and we were down for longer than the provider remembers our keys [REF-21]', async () => {
  const referrer = await shop.buildCreator()
  await tip(await invite(referrer), 10_000)
  await payReferrals(shop.gateway.services)
  await shop.gateway.query(
    'update private.referral_transfers set done_at = null, stripe_transfer_id = null where profile_id = $1',
    [referrer.profileId],
  )
  forgetKeys()
  await payReferrals(shop.gateway.services)
  expect(await held(referrer)).toBe(450)
  await expectBalancedBooks(shop)
})

/** A day passes at the provider. */
function forgetKeys() {
  const sandbox = new DatabaseSync(shop.sandboxFile)
  sandbox.exec('delete from idempotency')
  sandbox.close()
}
