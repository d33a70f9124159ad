import { startSandbox } from '@ovation/sandbox'
import { visit } from '@ovation/sandbox/visit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPostCommitJobs } from '../../functions/run-post-commit-jobs.ts'
import type { Person } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, type Plan, pay, type Shop } from '../testing/shop.ts'

let shop: Shop
let admin: Person
beforeAll(async () => {
  shop = await buildShop({ webhooks: false }) // no webhooks: they may be late or lost
  admin = await buildAdmin(shop.gateway)
})
afterAll(() => shop?.close())

type Scene = { creator: Person; account: string; fan: Person; plan: Plan; pages: string[] }

/** A fan with three open pages of one creator: for a plan, a post, and a tip. */
async function buildScene(trialDays = 0): Promise<Scene> {
  const creator = await shop.buildCreator()
  const fan = await shop.gateway.signUp()
  const plan = await shop.buildPlan(creator, { trial_days: trialDays })
  const page = async (name: string, body: Record<string, unknown>) => (await call<{ url: string }>(fan, name, body)).url
  const pages = [
    await page('create-subscription-checkout', { productId: plan.id }),
    await page('create-payment-checkout', { kind: 'ppv', targetId: await buildPaidPost(creator) }),
    await page('create-payment-checkout', { kind: 'tip', targetId: creator.profileId, amountCents: 700 }),
  ]
  return { creator, account: await shop.accountOf(creator), fan, plan, pages }
}

/** Ways in which a fan and a creator stop dealing with each other. */
const leavings: Record<string, (scene: Scene) => PromiseLike<unknown>> = {
  'the creator deletes the account': ({ creator }) =>
    call(creator, 'delete-own-account', { password: creator.password }),
  'the fan is deleted by an admin': ({ fan }) => call(admin, 'delete-user-account', { userId: fan.userId }),
  'the creator is suspended': ({ creator }) => suspend(creator),
  'the fan is suspended': ({ fan }) => suspend(fan),
  'the creator blocks the fan': ({ creator, fan }) =>
    creator.client.from('blocks').insert({ blocker_id: creator.profileId, blocked_id: fan.profileId }).throwOnError(),
}

const suspend = ({ profileId }: Person) =>
  admin.client.rpc('suspend_user', { profile_id: profileId, reason: 'Spam' }).throwOnError()

/** Runs the payment tasks now; the schedule runs them once a minute. */
async function settle() {
  await runPostCommitJobs(shop.gateway.services)
  await shop.settled()
}

/** How much of the fan's money Stripe holds, in cents, and how many of their subscriptions run there. */
async function heldOf({ fan, account }: Scene): Promise<{ cents: number; running: number }> {
  const { data: subscriptions } = await shop.stripe.subscriptions.list({ status: 'all', limit: 100 })
  const { data: charges } = await shop.stripe.charges.list({ limit: 100 })
  const theirs = subscriptions.filter(({ metadata }) => metadata.profile_id === fan.profileId)
  return {
    cents: charges
      .filter(({ paid, transfer_data }) => paid && transfer_data?.destination === account)
      .reduce((sum, charge) => sum + charge.amount - charge.amount_refunded, 0),
    running: theirs.filter(({ status }) => status !== 'canceled').length,
  }
}

describe.each(Object.entries(leavings))('an open page after %s', (_name, leave) => {
  it("can't be paid any more [SET-14, ADM-19, GEN-05]", async () => {
    const scene = await buildScene()
    await leave(scene)
    await settle()
    for (const url of scene.pages) expect((await visit(url)).text).toContain('expired')
    expect(await heldOf(scene)).toEqual({ cents: 0, running: 0 })
  })

  it('that was just paid, unknown to us, is refunded in full, and nothing keeps running [SET-14, ADM-19, GEN-05]', async () => {
    const scene = await buildScene()
    for (const url of scene.pages) expect((await pay(url)).status).toBe(303)
    await leave(scene)
    await settle()
    expect(await heldOf(scene)).toEqual({ cents: 0, running: 0 })
    const open = await shop.gateway.query(
      `select from public.subscriptions where subscriber_id = $1 and access_until > now()
       union all select from public.purchases where buyer_id = $1`,
      [scene.fan.profileId],
    )
    expect(open).toEqual([])
    const [unbalanced] = await shop.gateway.query<{ sum: string }>(
      `select coalesce(sum(e.amount_cents), 0)::text as sum from private.ledger_entries e
       join private.ledger_accounts a on a.id = e.account_id where a.code = 'creator:' || $1`,
      [scene.creator.profileId],
    )
    expect(unbalanced?.sum).toBe('0')
  })
})

it('everything that an unnoticed page started months ago is refunded in full [GEN-05, SET-14]', async () => {
  const scene = await buildScene(7)
  await pay(scene.pages[0] ?? '')
  shop.sandbox.advanceClock(45 * 86_400) // the trial's end, and the renewal after it
  expect((await heldOf(scene)).cents).toBe(2 * 999)
  await leavings['the creator blocks the fan']?.(scene)
  await settle()
  expect(await heldOf(scene)).toEqual({ cents: 0, running: 0 })
})

it('a free trial that starts on such a page ends before it costs anything [PROD-11, SET-14]', async () => {
  const scene = await buildScene(7)
  await pay(scene.pages[0] ?? '')
  await call(scene.creator, 'delete-own-account', { password: scene.creator.password })
  await settle()
  expect(await heldOf(scene)).toEqual({ cents: 0, running: 0 })
})

it('closes the page of a deactivated plan; a fan who had just paid keeps the plan [PROD-10]', async () => {
  const [late, early] = [await buildScene(), await buildScene()]
  const withdraw = ({ creator, plan }: Scene) =>
    creator.client.from('subscription_products').update({ is_active: false }).eq('id', plan.id).throwOnError()
  await withdraw(late)
  await pay(early.pages[0] ?? '')
  await withdraw(early)
  await settle()
  expect((await visit(late.pages[0] ?? '')).text).toContain('expired')
  expect(await heldOf(late)).toEqual({ cents: 0, running: 0 })
  expect((await visit(late.pages[2] ?? '')).text).toContain('Card number') // tips still work
  expect(await heldOf(early)).toEqual({ cents: 999, running: 1 })
})

it("a creator who loses approval can't be paid, but can still pay others [D25]", async () => {
  const { creator, pages } = await buildScene()
  const other = await shop.buildCreator()
  const tip = { kind: 'tip', targetId: other.profileId, amountCents: 500 }
  const { url } = await call<{ url: string }>(creator, 'create-payment-checkout', tip)
  await shop.gateway.query('update private.profiles set is_verified = false where id = $1', [creator.profileId])
  await settle()
  expect((await visit(pages[1] ?? '')).text).toContain('expired')
  expect((await visit(url)).text).toContain('Card number')
})

it('a page that the provider created while one of the two was suspended closes as well [GEN-05]', async () => {
  const { creator, fan } = await buildScene()
  await suspend(creator)
  const insert = `insert into private.checkout_sessions (id, kind, profile_id, creator_id, amount_cents, url)
    values ('cs_late', 'tip', $1, $2, 500, 'https://example.com')`
  await shop.gateway.query(insert, [fan.profileId, creator.profileId])
  const task = `select from private.payment_tasks where kind = 'close_checkout' and target = 'cs_late'`
  expect(await shop.gateway.query(task)).toHaveLength(1)
  await shop.gateway.query(`delete from private.payment_tasks where target = 'cs_late'`)
})

it('pages stay open while the provider is down, and close once it is back [SET-14]', async () => {
  const scene = await buildScene()
  await shop.sandbox.close()
  await call(scene.creator, 'delete-own-account', { password: scene.creator.password })
  const back = await startSandbox({ file: shop.sandboxFile, port: shop.sandbox.port, merchant: 'Ovation' })
  try {
    back.setPublicUrl(shop.gateway.url)
    await settle()
    for (const url of scene.pages) expect((await visit(url)).text).toContain('expired')
    expect(await heldOf(scene)).toEqual({ cents: 0, running: 0 })
  } finally {
    await back.close()
  }
})
