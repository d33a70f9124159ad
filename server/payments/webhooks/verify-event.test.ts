import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { deliverEvent, unknownEvent } from '../testing/deliver-event.ts'
import { verifyEvent } from './verify-event.ts'

const webhookSecrets = ['whsec_of_the_platform', 'whsec_of_connected_accounts']
const sign = (payload: string, secret = '') =>
  Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret } as Stripe.WebhookTestHeaderOptions)

it.each(webhookSecrets)('accepts what %s signed', async (secret) => {
  const event = unknownEvent()
  const body = JSON.stringify(event)
  expect(await verifyEvent({ webhookSecrets }, body, await sign(body, secret))).toEqual(event)
})

it("rejects a signed body that isn't JSON", async () => {
  const body = 'an event'
  const verified = verifyEvent({ webhookSecrets }, body, await sign(body, webhookSecrets[0]))
  await expect(verified).rejects.toMatchObject({ status: 400, code: 'bad_json' })
})

describe('stripe-webhook', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  const storedEvents = (...ids: readonly string[]) =>
    gateway.query('select id from private.stripe_events where id = any($1)', [ids])

  it.each([
    ['no signature', { header: '' }],
    ['a signature without a known scheme', { header: 't=1,v0=x' }],
    ['the signature of another secret', { secret: 'whsec_of_somebody_else' }],
    ['a changed body', { body: '{"id":"evt_forged","type":"invoice.paid"}' }],
    ['an old timestamp', { atSeconds: Math.floor(Date.now() / 1000) - 301 }],
    ['no body', { body: '' }],
  ])('rejects %s, and stores nothing', async (_what, sent) => {
    const event = unknownEvent()
    const response = await deliverEvent(gateway, event, sent)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'bad_signature' })
    expect(await storedEvents(event.id, 'evt_forged')).toEqual([])
  })

  it('rejects a body larger than Stripe sends', async () => {
    const response = await deliverEvent(gateway, { ...unknownEvent(), padding: 'x'.repeat(1_100_000) })
    expect(response.status).toBe(413)
  })
})
