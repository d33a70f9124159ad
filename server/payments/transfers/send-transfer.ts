import type Stripe from 'stripe'
import { patiently } from '../idempotency.ts'
import type { Payments } from '../payments.ts'

type Marked = {
  /** The connected account. */
  readonly destination: string
  /** Used by no other transfer. */
  readonly metadata: Readonly<Record<string, string>>
  /** When the transfer was queued. */
  readonly since: Date
}
type Wanted = Marked & {
  readonly amountCents: number
  readonly description: string
  readonly idempotencyKey: string
}

/** A margin for clocks that differ. */
const marginSeconds = 3_600

/**
 * Sends the platform's money, once. Stripe forgets a key after a day: if the response never came and we were down for longer than
 * that, the transfer is found by its metadata.
 */
export async function sendTransfer(payments: Payments, wanted: Wanted): Promise<Stripe.Transfer> {
  const sent = await findTransfer(payments, wanted)
  if (sent) return sent
  const { amountCents: amount, destination, description, metadata, idempotencyKey } = wanted
  const transfer = { amount, currency: 'usd', destination, description, metadata }
  return patiently(() => payments.stripe.api.transfers.create(transfer, { idempotencyKey }))
}

/** Finds the transfer with this metadata. */
export async function findTransfer(
  { stripe }: Payments,
  { destination, metadata, since }: Marked,
): Promise<Stripe.Transfer | undefined> {
  const created = { gte: Math.floor(since.getTime() / 1000) - marginSeconds }
  for await (const sent of stripe.api.transfers.list({ destination, created, limit: 100 })) {
    if (Object.entries(metadata).every(([name, value]) => sent.metadata[name] === value)) return sent
  }
  return undefined
}
