import { submit, visit } from '@ovation/sandbox/visit'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { call, type Plan, pay } from '../shop.ts'
import { prepareGift, redeemGift, takeBackGift } from './gift-steps.ts'
import type { Participant } from './people.ts'
import { patienceMs, retryUnanswered } from './retry-unanswered.ts'
import { publish, type WalkFixture } from './walk-fixture.ts'

/** One step of a user. Its numbers choose among what exists at that moment. */
export type Step =
  | {
      readonly do: 'subscribe' | 'buy' | 'tip' | 'unlock' | 'book' | 'shop' | 'give' | 'twice'
      readonly fan: number
      readonly what: number
      readonly card: number
    }
  | {
      readonly do: 'switch' | 'cancel' | 'resume'
      readonly fan: number
      readonly what: number
    }
  | { readonly do: 'refund' | 'decline' | 'payout' | 'suspend' | 'redeem' | 'take back'; readonly what: number }
  | {
      readonly do: 'dispute' | 'bank' | 'elsewhere'
      readonly fan: number
      readonly what: number
      readonly win: boolean
    }
  | { readonly do: 'confirm'; readonly fan: number }

const fan = fc.nat({ max: 1 })
const what = fc.nat({ max: 1000 })
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('subscribe', 'buy', 'tip', 'unlock', 'book', 'shop', 'give', 'give'),
      fan,
      what,
      card: what,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('twice'), fan, what, card: what }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('switch', 'cancel', 'resume'), fan, what }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('redeem', 'redeem', 'redeem', 'take back'), what }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('refund', 'decline', 'payout', 'suspend'), what }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('dispute', 'bank', 'bank', 'elsewhere'), fan, what, win: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('confirm'), fan }) },
) as fc.Arbitrary<Step>
// Users who have bought nothing have nothing to lose.
const first = fc.record({
  do: fc.constantFrom('subscribe', 'buy', 'tip', 'give', 'twice'),
  fan,
  what,
  card: fc.constant(0),
})

/** The walk with a number. The same number is always the same walk. */
export function stepsOf(number: number): Step[] {
  const walk = fc.tuple(first as fc.Arbitrary<Step>, fc.array(step, { minLength: 4, maxLength: 15, size: 'max' }))
  return fc.sample(walk, { seed: number, numRuns: 1 }).flatMap(([begin, rest]) => [begin, ...rest])
}

const cards = [
  '4242 4242 4242 4242',
  '4242 4242 4242 4242',
  '4000 0000 0000 0002', // is declined
  '4000 0000 0000 0341', // pays once, and is declined from then on
  '4000 0000 0000 0259', // pays, and is disputed
  '4000 0000 0000 0077', // pays, and the money is there at once
  '4000 0027 6000 3184', // its bank requires confirmation each time, at a renewal too
  '4000 0000 0000 7726', // pays, and a refund takes an hour
]

/**
 * Takes the step as a user does: through the server, clicking again if it doesn't respond. A rejection is a response like any other
 * (already bought, nothing to switch to).
 * @throws on a fault of ours.
 */
export async function take(world: WalkFixture, step: Step): Promise<void> {
  try {
    await act(world, step)
  } catch (error) {
    if (!isRejection(error)) throw error
  }
}

/** By a function of the payments API, or by one of the database's. */
function isRejection(error: unknown): boolean {
  if (/^PT4\d\d$/.test(String((error as { code?: unknown }).code))) return true
  return /: \{"success":false/.test(String(error)) && !/"code":"internal"/.test(String(error))
}

async function act(world: WalkFixture, step: Step): Promise<unknown> {
  const { creator, fans, plans, environment } = world
  if (needsCreator(step) && (await isSuspended(world))) return undefined
  switch (step.do) {
    case 'suspend':
      return (await isSuspended(world)) ? reinstate(world) : suspend(world)
    case 'subscribe':
      return payFor(
        pick(fans, step.fan),
        step.card,
        'create-subscription-checkout',
        chosenPlan(plans, plans, step.what),
      )
    case 'buy':
    case 'tip':
    case 'unlock':
    case 'book':
    case 'shop':
    case 'give':
      return payFor(pick(fans, step.fan), step.card, 'create-payment-checkout', {
        ...(await order(world, step)),
        savedCard: step.what % 2 === 0 ? 'use' : 'skip',
        attemptId: crypto.randomUUID(), // one purchase, however often it is clicked
      })
    case 'twice':
      return payTwice(world, step)
    case 'switch':
    case 'cancel':
    case 'resume':
      return changeSubscription(world, step)
    case 'redeem':
      return redeemGift(world, step.what)
    case 'take back':
      return takeBackGift(world, step.what)
    case 'refund': {
      const payments = await environment.query<{ id: string }>(
        `select id from public.transactions where to_user_id = $1 and amount > 0 and status = 'completed'
           and transaction_type in ('subscription', 'ppv', 'tip', 'paid_message', 'gift', 'product') order by created_at, id`,
        [creator.profileId],
      )
      const transactionId = pick(payments, step.what)?.id
      return transactionId && press(creator, 'refund-payment', { transactionId, reason: 'By chance' })
    }
    case 'decline': {
      const bookings = await environment.query<{ id: string }>(
        `select id from public.session_bookings where creator_id = $1 and state = 'requested' order by created_at`,
        [creator.profileId],
      )
      const booking = pick(bookings, step.what)?.id
      return (
        booking &&
        retryUnanswered(async () => creator.client.rpc('decline_booking', { booking_id: booking }).throwOnError())
      )
    }
    case 'dispute': {
      const charge = pick((await chargesOf(world, step.fan)).filter(isKept), step.what)
      return charge && !(await disputeOf(environment, charge)) && environment.sandbox.openDispute(charge.id)
    }
    case 'bank': {
      const charge = pick(
        (await chargesOf(world, step.fan)).filter(({ paid }) => paid),
        step.what,
      )
      return charge && actAsBank(environment, charge, await disputeOf(environment, charge), step.win)
    }
    case 'elsewhere':
      return refundElsewhere(world, step)
    case 'confirm':
      return confirmRenewal(world, step.fan)
    case 'payout': {
      const [account] = await environment.query<{ id: string }>(
        'select stripe_account_id as id from private.profiles where id = $1',
        [creator.profileId],
      )
      return environment.sandbox.payOut(account?.id ?? '')
    }
  }
}

const isKept = ({ paid, disputed, refunded }: Stripe.Charge) => paid && !disputed && !refunded

const disputeOf = async (
  { stripe }: WalkFixture['environment'],
  { id }: Stripe.Charge,
): Promise<Stripe.Dispute | undefined> => (await stripe.disputes.list({ charge: id })).data[0]

/** The next action of a bank about a charge: it warns or inquires, takes the money after all, decides, and hears an appeal. */
async function actAsBank(
  { sandbox, stripe, count }: WalkFixture['environment'],
  charge: Stripe.Charge,
  dispute: Stripe.Dispute | undefined,
  win: boolean,
): Promise<unknown> {
  const answer = (id: string) =>
    stripe.disputes.update(id, {
      evidence: { uncategorized_text: win ? 'winning_evidence' : 'losing_evidence' },
      submit: true,
    })
  switch (dispute?.status) {
    case undefined:
      if (!isKept(charge)) return undefined
      if (win) {
        count('warnings')
        return sandbox.warnOfFraud(charge.id)
      }
      count('inquiries')
      return sandbox.openDispute(charge.id, 'inquiry')
    case 'warning_needs_response':
      return win ? answer(dispute.id) : sandbox.escalateInquiry(dispute.id)
    case 'needs_response':
      return answer(dispute.id)
    case 'lost':
      count('appeals')
      sandbox.offerAppeal(dispute.id)
      return win && sandbox.decideDispute(dispute.id, 'won')
    case 'appeal_needs_response':
      return sandbox.decideDispute(dispute.id, win ? 'won' : 'lost')
    default:
      return undefined
  }
}

/** A refund by the operator, in the Dashboard: whole or partial, from the platform's own money or from the creator's too. */
async function refundElsewhere(
  { fans, environment }: WalkFixture,
  { fan, what, win }: Extract<Step, { win: boolean }>,
): Promise<void> {
  const customer = await customerOf(environment, pick(fans, fan))
  if (customer === undefined) return
  const charge = pick((await environment.stripe.charges.list({ customer, limit: 100 })).data.filter(isKept), what)
  if (!charge) return
  environment.count('refunds elsewhere')
  const left = charge.amount - charge.amount_refunded
  await environment.stripe.refunds.create({
    charge: charge.id,
    ...(what % 2 === 0 && left > 1 && { amount: Math.ceil(left / 2) }),
    ...(win && charge.transfer && { reverse_transfer: true, refund_application_fee: true }),
  })
}

/** A fan opens the page of a bill that their bank must confirm. */
async function confirmRenewal({ fans, environment }: WalkFixture, fan: number): Promise<void> {
  const customer = await customerOf(environment, pick(fans, fan))
  if (customer === undefined) return
  const { data } = await environment.stripe.invoices.list({ customer, status: 'open' })
  const url = data[0]?.hosted_invoice_url
  if (!url) return
  environment.count('confirmations')
  await submit(await visit(url), { answer: 'confirm' })
}

const pick = <T>(choices: readonly T[], number: number): T => choices[number % Math.max(choices.length, 1)] as T

const press = <Answer>(person: Participant, name: string, body: Record<string, unknown>) =>
  retryUnanswered(() => call<Answer>(person, name, body))

/** Clicks the button and pays on the page that it opens. */
async function payFor(person: Participant, card: number, name: string, body: Record<string, unknown>): Promise<void> {
  const { url } = await press<{ url?: string }>(person, name, body)
  if (url) await payPage(url, card)
}

/** Every second card is saved for one-click purchases. */
export async function payPage(url: string, card: number): Promise<void> {
  const payWith = async () => {
    const { location } = await pay(url, pick(cards, card), card % 2 === 0 ? { keep: 'yes' } : {})
    if (location?.endsWith('/authenticate'))
      await submit(await visit(new URL(location, url).href), { answer: 'confirm' })
  }
  await payWith().catch((error: Error) => {
    // A page that has been closed has no form.
    if (!/no form on/.test(error.message)) throw error
  })
}

/**
 * Two pages for one thing, paid at the same moment: a subscription, of one plan or of two, a post, or a product. The second page opens because
 * the first seems to be over, as if the process died between the provider's response and our write.
 */
async function payTwice(world: WalkFixture, step: Extract<Step, { card: number }>): Promise<void> {
  const { environment, fans, plans } = world
  const person = pick(fans, step.fan)
  const believe = (before: string, after: string) =>
    environment.query(
      'update private.checkout_sessions set status = $3 where profile_id = $1 and status = $2 and completed_at is null',
      [person.profileId, before, after],
    )
  const single = await singlePurchase(world, step)
  const urls: string[] = []
  for (const number of [step.what, step.card]) {
    await believe('open', 'expired')
    const { url } = single
      ? await press<{ url?: string }>(person, 'create-payment-checkout', {
          ...single,
          savedCard: 'skip',
          attemptId: crypto.randomUUID(),
        })
      : await press<{ url?: string }>(person, 'create-subscription-checkout', { productId: pick(plans, number).id })
    if (url) urls.push(url)
  }
  await believe('expired', 'open')
  await Promise.all(urls.map((url, place) => payPage(url, step.card + place)))
}

/** A new post, or a product that the fan may own already; undefined for a subscription. */
async function singlePurchase({ creator, products }: WalkFixture, { what }: Step & { what: number }) {
  if (what % 6 === 0) return { kind: 'product', targetId: pick(products, what / 6) }
  return what % 3 === 0 ? { kind: 'ppv', targetId: await publish(creator, 149 + 100 * (what % 9)) } : undefined
}

async function order(world: WalkFixture, step: Extract<Step, { card: number }>): Promise<Record<string, unknown>> {
  const { creator, fans, products, goal } = world
  if (step.do === 'give') return { kind: 'gift', targetId: await prepareGift(world, step) }
  if (step.do === 'shop') {
    const place = step.what % products.length
    return { kind: 'product', targetId: products[place], ...(place === 1 && { amountCents: 300 + (step.what % 700) }) }
  }
  if (step.do === 'tip') {
    const tip = { kind: 'tip', targetId: creator.profileId, amountCents: 100 + ((step.what * 7) % 900) }
    return step.what % 3 === 0 ? tip : { ...tip, goalId: goal }
  }
  if (step.do === 'buy') return { kind: 'ppv', targetId: await publish(creator, 149 + 100 * (step.what % 9)) }
  if (step.do === 'book') return { kind: 'session', targetId: await offerSlot(creator) }
  const message = { content: 'Psst', is_paid: true, price: 299 }
  const { data } = await retryUnanswered(async () =>
    creator.client
      .from('messages')
      .insert({ sender_id: creator.profileId, recipient_id: pick(fans, step.fan).profileId, ...message })
      .select('id')
      .single()
      .throwOnError(),
  )
  return { kind: 'message', targetId: data.id }
}

async function offerSlot({ client, profileId }: Participant): Promise<string> {
  const offer = { creator_id: profileId, title: 'An hour', duration_minutes: 60, price_cents: 4_000 }
  const { data } = await retryUnanswered(async () =>
    client.from('session_offers').insert(offer).select('id').single().throwOnError(),
  )
  const { count } = await retryUnanswered(async () =>
    client
      .from('session_slots')
      .select('id, offer:session_offers!inner(creator_id)', { count: 'exact', head: true })
      .eq('offer.creator_id', profileId)
      .throwOnError(),
  )
  const starts_at = new Date(Date.now() + (48 + 2 * (count ?? 0)) * 3_600_000).toISOString()
  return retryUnanswered(async () => {
    const { data: slot, error } = await client
      .from('session_slots')
      .insert({ offer_id: data.id, starts_at })
      .select('id')
      .single()
    if (slot) return slot.id
    // The first click was received, but its response was lost.
    const heard = await client.from('session_slots').select('id').eq('offer_id', data.id).maybeSingle().throwOnError()
    if (!heard.data) throw error
    return heard.data.id
  })
}

const needsCreator = (step: Step) =>
  ['buy', 'unlock', 'book', 'refund', 'decline'].includes(step.do) || (step.do === 'twice' && step.what % 3 === 0)

async function isSuspended({ environment, creator }: WalkFixture): Promise<boolean> {
  const [row] = await environment.query('select from private.profiles where id = $1 and suspended_at is not null', [
    creator.profileId,
  ])
  return row !== undefined
}

/** Suspends as an admin does; another test covers the admin's own permissions. */
async function suspend({ environment, creator, suspensions }: WalkFixture): Promise<void> {
  await environment.query(
    'update private.profiles set suspended_at = now(), suspension_reason = $2, was_private = is_private where id = $1',
    [creator.profileId, 'By chance'],
  )
  await environment.query('select private.settle_renewals($1)', [creator.profileId])
  const open = () =>
    environment.query(
      `select from private.payment_tasks t join private.stripe_subscriptions k on k.stripe_subscription_id = t.target
         join public.subscriptions s on s.id = k.subscription_id
       where s.creator_id = $1 and t.kind = 'stop_renewal' and t.done_at is null`,
      [creator.profileId],
    )
  // Other tasks may have to wait for something, but these must be done.
  for (const deadline = Date.now() + patienceMs; (await open()).length > 0; ) {
    if (Date.now() > deadline) throw new Error('the renewals of a suspended creator were not paused')
    await environment.carryOut().catch(() => undefined)
  }
  // A subscription that the server doesn't know yet can't be paused: the nightly comparison finds it.
  const stopped = await environment.query<{ id: string }>(
    `select k.stripe_subscription_id as id from private.stripe_subscriptions k join public.subscriptions s on s.id = k.subscription_id
     where s.creator_id = $1 and s.cancel_at_period_end`,
    [creator.profileId],
  )
  suspensions.push({
    from: environment.sandbox.now(),
    until: Number.POSITIVE_INFINITY,
    stopped: stopped.map(({ id }) => id),
  })
}

export async function reinstate(world: WalkFixture): Promise<void> {
  const { environment, creator, suspensions } = world
  const last = suspensions.at(-1)
  if (!last || !(await isSuspended(world))) return
  last.until = environment.sandbox.now()
  await environment.query(
    'update private.profiles set suspended_at = null, suspension_reason = null, was_private = null where id = $1',
    [creator.profileId],
  )
  await environment.query('select private.settle_renewals($1)', [creator.profileId])
}

/** One of these plans, and the first of all for one of its terms (OFFER-01). */
function chosenPlan(all: readonly Plan[], plans: readonly Plan[], what: number) {
  const { id } = pick(plans, what)
  const intervalCount = id === all[0]?.id ? pick([1, 3, 12], Math.floor(what / plans.length)) : 1
  return { productId: id, intervalCount }
}

async function changeSubscription(
  world: WalkFixture,
  step: Extract<Step, { do: 'switch' | 'cancel' | 'resume' }>,
): Promise<void> {
  const { fans, plans, environment } = world
  const person = pick(fans, step.fan)
  const { data } = await retryUnanswered(async () =>
    person.client.from('subscriptions').select('id, tier_id').order('created_at').throwOnError(),
  )
  const own = pick(data ?? [], step.what)
  if (!own) return
  const others = plans.filter((plan, place) => plan.id !== own.tier_id || place === 0)
  const other = chosenPlan(plans, others, step.what)
  await press(person, `${step.do}-subscription`, { subscriptionId: own.id, ...other })
  const [known] = await environment.query<{ id: string }>(
    'select stripe_subscription_id as id from private.stripe_subscriptions where subscription_id = $1',
    [own.id],
  )
  if (known) expectFairTrial(world, await environment.stripe.subscriptions.retrieve(known.id))
}

/** Nobody gets a longer free trial than their plan, or one of the same price, offers. */
export function expectFairTrial(
  { plans }: WalkFixture,
  { status, items, trial_start, trial_end }: Stripe.Subscription,
): void {
  if (status !== 'trialing' || trial_start === null || trial_end === null) return
  const price = items.data[0]?.price.unit_amount ?? 0
  const longest = Math.max(
    0,
    ...plans.filter(({ price_cents }) => price_cents >= price).map(({ trial_days }) => trial_days),
  )
  if (trial_end - trial_start > longest * 86_400)
    throw new Error(`a plan of ${price} cents is free for ${(trial_end - trial_start) / 86_400} days`)
}

/** All charges of a fan, according to the provider. */
async function chargesOf({ fans, environment }: WalkFixture, number: number) {
  const customer = await customerOf(environment, pick(fans, number))
  return customer ? (await environment.stripe.charges.list({ customer, limit: 100 })).data : []
}

export async function customerOf(
  { query }: WalkFixture['environment'],
  { profileId }: Participant,
): Promise<string | undefined> {
  const [known] = await query<{ customer_id: string }>(
    'select customer_id from private.stripe_customers where profile_id = $1',
    [profileId],
  )
  return known?.customer_id
}
