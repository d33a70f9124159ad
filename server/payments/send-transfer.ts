import type Stripe from 'stripe'
import type { Payments } from './payments.ts'

type Wanted = {
  readonly amountCents: number
  /** The connected account. */
  readonly destination: string
  readonly description: string
  /** Of no other transfer. */
  readonly metadata: Readonly<Record<string, string>>
  readonly idempotencyKey: string
  /** When it was written down that this is wanted. */
  readonly since: Date
}

/** Clocks differ. */
const marginSeconds = 3_600

/**
 * Sends money of the platform's, once. Stripe forgets a key after a day: when the answer never came and we were not there for longer than
 * that, the transfer is known by its metadata.
 */
export async function sendTransfer({ stripe }: Payments, wanted: Wanted): Promise<Stripe.Transfer> {
  const { amountCents: amount, destination, description, metadata, idempotencyKey, since } = wanted
  const { transfers } = stripe.api
  const created = { gte: Math.floor(since.getTime() / 1000) - marginSeconds }
  for await (const sent of transfers.list({ destination, created, limit: 100 })) {
    if (Object.entries(metadata).every(([name, value]) => sent.metadata[name] === value)) return sent
  }
  return transfers.create({ amount, currency: 'usd', destination, description, metadata }, { idempotencyKey })
}
