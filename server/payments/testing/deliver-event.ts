import Stripe from 'stripe'
import type { TestGateway } from '../../testing/gateway.ts'

export type Sent = {
  readonly secret?: string
  readonly atSeconds?: number
  readonly body?: string
  readonly header?: string
}

/** Delivers an event as Stripe would, unless the test specifies what is wrong with it. */
export async function deliverEvent(
  { url, secrets }: Pick<TestGateway, 'url' | 'secrets'>,
  event: object,
  { secret, atSeconds, body, header }: Sent = {},
): Promise<Response> {
  const payload = JSON.stringify(event)
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: secret ?? secrets.sandboxWebhookSecret,
    timestamp: atSeconds ?? Math.floor(Date.now() / 1000),
  } as Stripe.WebhookTestHeaderOptions)
  return fetch(`${url}/functions/v1/stripe-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': header ?? signature },
    body: body ?? payload,
  })
}

/** An event of a type without a handler. */
export const unknownEvent = () => ({
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  type: 'customer.tax_id.created',
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  data: { object: { id: 'txi_1', object: 'tax_id' } },
})
