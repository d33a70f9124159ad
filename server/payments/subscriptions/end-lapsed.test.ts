import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildShop, call, type Shop, subscribe } from '../testing/shop.ts'
import { endLapsedSubscriptions } from './end-lapsed.ts'

let shop: Shop
beforeAll(async () => {
  shop = await buildShop({ webhooks: false })
})
afterAll(() => shop.close())

it('ends lapsed subscriptions, and skips those that no longer exist at the provider [SUB-15, SUB-17]', async () => {
  const { query, services } = shop.gateway
  const signUp = () => shop.gateway.signUp()
  const creator = await shop.buildCreator()
  const plan = await shop.buildPlan(creator)
  const known = await signUp()
  await subscribe(known, plan)
  await call(known, 'verify-subscription', { creatorId: creator.profileId })
  const unknown = [await signUp(), await signUp(), await signUp()]
  for (const [index, { profileId }] of unknown.entries())
    await query(
      `select private.apply_subscription_state($1, $2, $3, $4, 'active', now() - interval '31 days', now() + interval '1 day', null, false, null, now())`,
      [`sub_gone_${index}`, profileId, creator.profileId, plan.id],
    )
  await query(
    `update public.subscriptions set status = 'trial', trial_end = now() - interval '2 hours', current_period_end = now() - interval '2 hours'`,
  )

  await endLapsedSubscriptions(services)
  const states = await query('select subscriber_id as id, status from public.subscriptions')
  expect(new Map(states.map(({ id, status }) => [id, status]))).toEqual(
    new Map([[known.profileId, 'active'], ...unknown.map(({ profileId }) => [profileId, 'unpaid'] as const)]),
  )
})
