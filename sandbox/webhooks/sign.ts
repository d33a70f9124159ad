import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` header: HMAC-SHA256 over `{t}.{body}`, as `stripe.webhooks.constructEvent` checks it. */
export function signatureHeader(secret: string, body: string, atSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}
