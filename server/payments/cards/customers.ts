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

/** Finds or creates the fan's customer at Stripe: one for each profile, created at the first purchase. */
async function customerOf(payments: Payments, payer: Payer): Promise<string> {
  const [known] = await payments.database.service.rows<{ customer_id: string }>(sql`
    select customer_id from private.stripe_customers where profile_id = ${payer.profileId}`)
  return known?.customer_id ?? createCustomer(payments, payer, 'first')
}

/** Runs work with the fan's customer, and retries with a new one if it was deleted at Stripe. */
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

/** Replaces a customer that was deleted at Stripe. */
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
  // Name and address may have changed since a call whose response was lost, and Stripe rejects the same key with other parameters. Hashed,
  // because the key is sent as a header, which can't hold every name or any length.
  const key = createHash('sha256')
    .update(JSON.stringify([params, previous]))
    .digest('hex')
  const { id } = await askOnce(`customer:${key}`, (idempotencyKey) =>
    stripe.api.customers.create(params, { idempotencyKey }),
  )
  return keepCustomer(database.service, payer.profileId, id)
}

/**
 * Keeps the first customer if several calls create one at once. @returns that customer.
 * Ignores conflicts in any key: two calls with one customer conflict in both of the table's keys, and naming one would reject the second.
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
