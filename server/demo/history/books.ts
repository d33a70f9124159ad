import type pg from 'pg'
import type Stripe from 'stripe'
import { dateNotifications } from './date-notifications.ts'
import { inTransaction } from './in-transaction.ts'

/** One movement of money at the provider, as the books need it. */
type Movement = {
  readonly at: Date
  readonly cause: string
  readonly kind: 'invoice' | 'tip' | 'ppv' | 'payout'
  readonly fan: string | null
  readonly creator: string
  /** The plan of an invoice, the post of a purchase. */
  readonly about: string | null
  /** The subscription at the provider. */
  readonly subscription: string | null
  readonly cents: number
  readonly feeCents: number
}

const atOnce = 100

/**
 * Books what the provider has of the past year, in the order in which it happened, with the functions that webhooks call. A payment that is
 * booked already changes nothing. Notifications get the time of their payment; emails about it count as sent.
 */
export async function bookYear(
  client: pg.Client,
  stripe: Stripe,
  accounts: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const subscriptions = await bookSubscriptions(client, stripe, signal)
  await keepCustomers(client, stripe)
  const movements = (await readMovements(stripe, accounts)).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  for (let index = 0; index < movements.length; index += atOnce) {
    signal.throwIfAborted()
    await inTransaction(client, async () => {
      await client.query('select private.lock_books()')
      const booked: string[] = []
      for (const movement of movements.slice(index, index + atOnce)) {
        const id = await book(client, movement, subscriptions)
        if (id !== null) booked.push(id)
      }
      await dateBack(client, booked)
    })
  }
}

/** @returns our subscriptions by the provider's id. */
async function bookSubscriptions(
  client: pg.Client,
  stripe: Stripe,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  const found: Stripe.Subscription[] = []
  for await (const subscription of stripe.subscriptions.list({ status: 'all', limit: 100 })) found.push(subscription)
  for (const { id, created, status, metadata, items, ...state } of found) {
    const [item] = items.data
    const { profile_id: fan, creator_id: creator, product_id: plan } = metadata
    if (!item || !fan || !creator || !plan) continue
    signal.throwIfAborted()
    await inTransaction(client, async () => {
      const { rows } = await client.query<{ id: string }>(
        `select private.apply_subscription_state($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()) as id`,
        [
          id,
          fan,
          creator,
          plan,
          status,
          timeOf(item.current_period_start),
          timeOf(item.current_period_end),
          timeOf(state.trial_end),
          state.cancel_at_period_end,
          timeOf(state.canceled_at),
        ],
      )
      const own = rows[0]?.id
      if (own) ids.set(id, own)
      await dateSubscription(client, { id: own, fan, creator, since: new Date(created * 1000) })
    })
  }
  await inTransaction(client, () => dateSubscribers(client, [...ids.values()]))
  return ids
}

/** The analytics have noted all of it as of today, and nothing of the subscriptions that have ended. */
async function dateSubscribers(client: pg.Client, subscriptions: readonly string[]): Promise<void> {
  await client.query(
    'select private.recount_subscribers(array(select distinct s.creator_id from public.subscriptions s where s.id = any($1)))',
    [subscriptions],
  )
  await client.query('delete from private.subscriber_spans where subscription_id = any($1)', [subscriptions])
  await client.query(
    `insert into private.subscriber_spans
       (creator_id, subscription_id, plan_id, link_id, source, monthly_cents, joined_at, began_at, began_as, ended_at, ended_as, months)
     select c.creator_id, c.subscription_id, c.plan_id, c.link_id, c.source, c.monthly_cents, c.joined_at, c.began_at, c.began_as,
       c.ended_at, c.ended_as, c.months
     from private.compute_subscriber_spans() c where c.subscription_id = any($1)`,
    [subscriptions],
  )
  await client.query(
    `insert into private.subscriber_values (creator_id, fan_id, plan_id, link_id, joined_at, subscription_cents, other_cents)
     select c.creator_id, c.fan_id, c.plan_id, c.link_id, c.joined_at, c.subscription_cents, c.other_cents
     from private.compute_subscriber_values() c where c.joined_at is not null
     on conflict on constraint subscriber_values_one_each do update
       set plan_id = excluded.plan_id, link_id = excluded.link_id, joined_at = excluded.joined_at`,
  )
}

async function dateSubscription(
  client: pg.Client,
  { id, fan, creator, since }: { id: string | undefined; fan: string; creator: string; since: Date },
): Promise<void> {
  await client.query('update public.subscriptions set created_at = $2 where id = $1 and created_at > $2', [id, since])
  await client.query(
    'update public.follows set created_at = $3 where follower_id = $1 and following_id = $2 and created_at > $3',
    [fan, creator, since],
  )
  // A trial's notification was created with it.
  await dateNotifications(
    client,
    `select id, $2::timestamptz as at, $2 < now() - interval '36 hours' as is_read from public.notifications
     where user_id = $3 and data ->> 'subscription_id' = $1::text and created_at > $2`,
    [id, since, creator],
  )
}

async function keepCustomers(client: pg.Client, stripe: Stripe): Promise<void> {
  for await (const { id, metadata } of stripe.customers.list({ limit: 100 }))
    if (metadata.profile_id)
      await client.query(
        'insert into private.stripe_customers (profile_id, customer_id) select p.id, $2 from private.profiles p where p.id = $1 on conflict do nothing',
        [metadata.profile_id, id],
      )
}

async function readMovements(stripe: Stripe, accounts: ReadonlyMap<string, string>): Promise<Movement[]> {
  const movements: Movement[] = []
  const charges = new Map<string, Stripe.Charge>()
  for await (const charge of stripe.charges.list({ limit: 100 })) {
    if (!charge.paid || typeof charge.payment_intent !== 'string') continue
    charges.set(charge.payment_intent, charge)
    const { kind, profile_id: fan = null, creator_id: creator, post_id: about = null } = charge.metadata
    if ((kind !== 'tip' && kind !== 'ppv') || !creator) continue
    const { created, amount, application_fee_amount: fee } = charge
    const money = { at: new Date(created * 1000), cents: amount, feeCents: fee ?? 0 }
    movements.push({ ...money, cause: charge.payment_intent, kind, fan, creator, about, subscription: null })
  }
  for await (const invoice of stripe.invoices.list({ status: 'paid', limit: 100, expand: ['data.payments'] })) {
    const { metadata = null, subscription } = invoice.parent?.subscription_details ?? {}
    const intent = invoice.payments?.data[0]?.payment.payment_intent
    const charge = typeof intent === 'string' ? charges.get(intent) : undefined
    if (!charge || !metadata?.creator_id || typeof subscription !== 'string') continue
    movements.push({
      at: new Date((invoice.status_transitions.paid_at ?? invoice.created) * 1000),
      cause: invoice.id,
      kind: 'invoice',
      fan: metadata.profile_id ?? null,
      creator: metadata.creator_id,
      about: metadata.product_id ?? null,
      subscription,
      cents: charge.amount,
      feeCents: charge.application_fee_amount ?? 0,
    })
  }
  for (const [creator, stripeAccount] of accounts)
    for await (const { id, amount, created } of stripe.payouts.list(
      { status: 'paid', limit: 100 },
      { stripeAccount },
    )) {
      const at = new Date(created * 1000)
      movements.push({
        at,
        cause: id,
        kind: 'payout',
        fan: null,
        creator,
        about: null,
        subscription: null,
        cents: amount,
        feeCents: 0,
      })
    }
  return movements
}

/** @returns transactions.id */
async function book(
  client: pg.Client,
  { at, cause, kind, fan, creator, about, subscription, cents, feeCents }: Movement,
  subscriptions: ReadonlyMap<string, string>,
): Promise<string | null> {
  const statements = {
    invoice: [
      `select private.post_subscription_payment($1, $2, $3, $4, $5, $6, 'usd', $7, $8) as id`,
      [cause, fan, creator, about, cents, feeCents, at, subscriptions.get(subscription ?? '') ?? null],
    ],
    tip: [`select private.post_tip($1, $2, $3, $4, $5, 'usd', $6) as id`, [cause, fan, creator, cents, feeCents, at]],
    ppv: [
      `select private.post_purchase($1, $2, $3, $4, $5, $6, 'usd', $7) as id`,
      [cause, fan, creator, about, cents, feeCents, at],
    ],
    payout: [`select private.post_payout($1, $2, $3, 'usd', $4) as id`, [cause, creator, cents, at]],
  } as const
  const [text, values] = statements[kind]
  const { rows } = await client.query<{ id: string | null }>(text, [...values])
  return rows[0]?.id ?? null
}

/** What was written with a payment gets its time. Don't email about it: the payment is in the past. */
async function dateBack(client: pg.Client, transactions: readonly string[]): Promise<void> {
  await dateNotifications(
    client,
    `select n.id, t.created_at as at, t.created_at < now() - interval '36 hours' as is_read
     from public.notifications n join public.transactions t on t.id::text = n.data ->> 'transaction_id'
     where t.id = any($1) and n.created_at = now()`,
    [transactions],
  )
  await client.query(
    `update public.purchases b set created_at = t.created_at from public.transactions t
     where b.transaction_id = t.id and t.id = any($1)`,
    [transactions],
  )
  await client.query(
    `update private.payment_emails e set sent_at = t.created_at from public.transactions t
     where e.transaction_id = t.id and t.id = any($1) and e.sent_at is null and t.created_at < now() - interval '1 hour'`,
    [transactions],
  )
}

const timeOf = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1000))
