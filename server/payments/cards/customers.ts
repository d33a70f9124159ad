import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'

export type Payer = {
  readonly userId: string
  readonly profileId: string
  readonly username: string
  readonly displayName: string | null
  readonly email: string | null
}

/** Who the payer is at Stripe: one customer for each profile, made at the first purchase. */
async function customerOf(payments: Payments, payer: Payer): Promise<string> {
  const [known] = await payments.database.service.rows<{ customer_id: string }>(sql`
    select customer_id from private.stripe_customers where profile_id = ${payer.profileId}`)
  return known?.customer_id ?? createCustomer(payments, payer, 'first')
}

/** Does something with the payer's customer, and once more with a new one when it was deleted at Stripe. */
export async function withCustomer<Result>(
  payments: Payments,
  payer: Payer,
  work: (customer: string) => Promise<Result>,
): Promise<Result> {
  const customer = await customerOf(payments, payer)
  return work(customer).catch(async (error: unknown) => {
    if (!isCustomerGone(error)) throw error
    return work(await replaceCustomer(payments, payer, customer))
  })
}

/** For a customer that was deleted at Stripe: forgets it and makes another. */
async function replaceCustomer(payments: Payments, payer: Payer, gone: string): Promise<string> {
  await payments.database.service.rows(sql`
    delete from private.stripe_customers where profile_id = ${payer.profileId} and customer_id = ${gone}`)
  return createCustomer(payments, payer, gone)
}

async function createCustomer({ stripe, database }: Payments, payer: Payer, previous: string): Promise<string> {
  const params = {
    name: payer.displayName ?? payer.username,
    ...(payer.email !== null && { email: payer.email }),
    metadata: { user_id: payer.userId, profile_id: payer.profileId },
  }
  // Name and address may have changed since a call whose answer was lost; the same key with other words would be refused. Hashed: the key
  // is sent as a header, which holds neither every name nor one of any length.
  const key = createHash('sha256')
    .update(JSON.stringify([params, previous]))
    .digest('hex')
  const { id } = await askOnce(`customer:${key}`, (idempotencyKey) =>
    stripe.api.customers.create(params, { idempotencyKey }),
  )
  return keepCustomer(database.service, payer.profileId, id)
}

/**
 * Of several calls at once the first one's customer is kept. @returns that one.
 * Whatever conflicts: two that bring the same customer conflict in both of the table's keys, and one that is not named would refuse the second.
 */
export async function keepCustomer(
  { rows }: Pick<Payments['database']['service'], 'rows'>,
  profileId: string,
  customerId: string,
): Promise<string> {
  await rows(sql`
    insert into private.stripe_customers (profile_id, customer_id) values (${profileId}, ${customerId}) on conflict do nothing`)
  const [kept] = await rows<{ customer_id: string }>(sql`
    select customer_id from private.stripe_customers where profile_id = ${profileId}`)
  return kept?.customer_id ?? customerId
}

export function isCustomerGone(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === 'resource_missing' &&
    error.param === 'customer'
  )
}
