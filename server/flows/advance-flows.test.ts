import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { advanceFlows } from './advance-flows.ts'

let shop: Shop
let creator: Person
let plan: Plan
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
})
afterAll(() => shop.close())

const code = { kind: 'promotion_code', percent_off: 20, valid_days: 14 }
const message = (content: string) => ({ kind: 'send', content, price_cents: null, file_ids: [], preview_index: null })
async function start(owner: Person, steps: readonly object[]): Promise<string> {
  const { data } = await owner.client
    .rpc('save_flow', {
      name: 'Win back',
      trigger: { trigger: 'follow' },
      steps: steps.map((step) => ({ id: randomUUID(), ...step })),
    })
    .throwOnError()
  await owner.client.rpc('set_flow_status', { flow_id: data, status: 'active' }).throwOnError()
  return data
}
const follow = (fan: Person, whom: Person) =>
  fan.client.from('follows').insert({ follower_id: fan.profileId, following_id: whom.profileId }).throwOnError()
const received = async (fan: Person) => {
  const { data } = await fan.client.from('messages').select('content').order('created_at').throwOnError()
  return data.map(({ content }) => content)
}
const run = () => advanceFlows(shop.gateway.services)
const statesOf = (flow: string) =>
  shop.gateway.query('select state from public.flow_runs where flow_id = $1 order by id', [flow])

it('makes a promotion code for one fan, which works once and for nobody else [AUTO-02, AUTO-05]', async () => {
  const flow = await start(creator, [code, message('Come back: {code}')])
  const [fan, other] = [await shop.gateway.signUp(), await shop.gateway.signUp()]
  await follow(fan, creator)
  await follow(other, creator)
  await run()
  const [text] = await received(fan)
  const promotionCode = String(text).replace('Come back: ', '')
  expect(promotionCode).toMatch(/^FOR-YOU-[0-9A-F]{10}$/)
  expect(await received(other)).not.toEqual([text])
  expect(await call(fan, 'check-promotion-code', { productId: plan.id, code: promotionCode })).toMatchObject({
    discountedCents: 799,
    duration: 'once',
  })
  const body = { productId: plan.id, promotionCode }
  expect(await refusalOf(other, 'create-subscription-checkout', body)).toMatchObject({
    status: 404,
    body: { code: 'promotion_not_found' },
  })
  await pay((await call<{ url: string }>(fan, 'create-subscription-checkout', body)).url)
  await shop.settled()
  await expectBalancedBooks(shop)
  const [step] = await shop.gateway.query(
    'select entered, waiting, bought, earned_cents::int from public.flow_steps where flow_id = $1 order by position',
    [flow],
  )
  expect(step).toEqual({ entered: 2, waiting: 0, bought: 1, earned_cents: 719 })
  // The creator's own list of codes doesn't have them.
  expect(await call(creator, 'list-promotion-codes')).toMatchObject({ promotionCodes: [] })
})

it('makes it once, also when the process dies after Stripe has answered [AUTO-03]', async () => {
  const another = await shop.buildCreator()
  await shop.buildPlan(another)
  const flow = await start(another, [code, message('{code}')])
  const fan = await shop.gateway.signUp()
  await follow(fan, another)
  await shop.gateway.query(`create function private.fail_test() returns trigger language plpgsql as
    $$ begin if new.promotion_id is not null then raise exception 'The process died'; end if; return new; end $$`)
  // Before the code is stored here, and then before the fan goes on with it.
  await shop.gateway.query(
    `alter table private.promotion_codes add constraint fail_test check (fan_id is distinct from '${fan.profileId}')`,
  )
  await expect(run()).rejects.toThrow('could not be made')
  await shop.gateway.query('alter table private.promotion_codes drop constraint fail_test')
  await shop.gateway.query(
    'create trigger fail_test before update on public.flow_entries for each row execute function private.fail_test()',
  )
  await expect(run()).rejects.toThrow('could not be made')
  await shop.gateway.query('drop function private.fail_test() cascade')
  await run()
  expect(await statesOf(flow)).toEqual([{ state: 'done' }])
  expect(await received(fan)).toHaveLength(1)
  expect(
    await shop.gateway.query('select count(*)::int as codes from private.promotion_codes where fan_id = $1', [
      fan.profileId,
    ]),
  ).toEqual([{ codes: 1 }])
})

it('lets the fan leave when the creator has no plan that a code could be for [AUTO-02]', async () => {
  const planless = await shop.buildCreator()
  const flow = await start(planless, [code, message('{code}')])
  const fan = await shop.gateway.signUp()
  await follow(fan, planless)
  await run()
  expect(await statesOf(flow)).toEqual([{ state: 'left' }])
  expect(await received(fan)).toEqual([])
})

it('makes the codes of other creators while more than twenty of one can’t be made [AUTO-03]', async () => {
  const [failing, working] = [await shop.buildCreator(), await shop.buildCreator()]
  for (const one of [failing, working]) await shop.buildPlan(one)
  const stuck = await start(failing, [code, message('{code}')])
  const flow = await start(working, [code, message('{code}')])
  for (let n = 0; n < 21; n += 1) await follow(await shop.gateway.signUp(), failing)
  await follow(await shop.gateway.signUp(), working)
  await shop.gateway.query(
    `create function private.fail_test() returns trigger language plpgsql as
    $$ begin if new.creator_id = '${failing.profileId}' then raise exception 'Rejected'; end if; return new; end $$`,
  )
  await shop.gateway.query(
    'create trigger fail_test before insert on private.promotion_codes for each row execute function private.fail_test()',
  )
  for (let n = 0; n < 3; n += 1) await expect(run()).rejects.toThrow('could not be made')
  expect(await statesOf(flow)).toEqual([{ state: 'done' }])
  await shop.gateway.query('drop function private.fail_test() cascade')
  for (let n = 0; n < 3; n += 1) await run()
  expect(new Set((await statesOf(stuck)).map(({ state }) => state))).toEqual(new Set(['done']))
})

it('lets the fan leave when the code would have expired before it could be made [AUTO-02, AUTO-03]', async () => {
  const another = await shop.buildCreator()
  await shop.buildPlan(another)
  const flow = await start(another, [{ ...code, valid_days: 1 }, message('{code}')])
  const fan = await shop.gateway.signUp()
  await follow(fan, another)
  await shop.gateway.query('select private.advance_flow(), private.advance_flow()')
  expect(await statesOf(flow)).toEqual([{ state: 'code' }])
  await shop.gateway.query(
    `update public.flow_entries set entered_at = now() - interval '25 hours' where flow_id = $1`,
    [flow],
  )
  await run()
  expect(await statesOf(flow)).toEqual([{ state: 'left' }])
  expect(await received(fan)).toEqual([])
})
