import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { deliverEvent, type Sent, unknownEvent } from '../testing/deliver-event.ts'
import { verifyEvent } from './verify-event.ts'

/** As while a secret is rotated: the new one, then the old one. */
const webhookSecrets = ['whsec_new', 'whsec_old'] as const

it("rejects a signed body that isn't JSON", async () => {
  const payload = 'an event'
  const [secret] = webhookSecrets
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
  } as Stripe.WebhookTestHeaderOptions)
  await expect(verifyEvent({ webhookSecrets }, payload, signature)).rejects.toMatchObject({
    status: 400,
    code: 'bad_json',
  })
})

describe('stripe-webhook', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { STRIPE_WEBHOOK_SECRET: webhookSecrets.join(', ') } })
  })
  afterAll(() => gateway.close())

  const deliver = (event: object, sent: Sent = {}) =>
    deliverEvent(gateway, event, { secret: webhookSecrets[0], ...sent })
  const storedEvents = (...ids: readonly string[]) =>
    gateway.query('select id, error from private.stripe_events where id = any($1)', [ids])

  it.each(webhookSecrets)('stores an event that is signed with %s, one of two secrets', async (secret) => {
    const event = unknownEvent()
    expect((await deliver(event, { secret })).status).toBe(200)
    expect(await storedEvents(event.id)).toEqual([{ id: event.id, error: null }])
  })

  it.each([
    ['no signature', { header: '' }],
    ['a signature without a known scheme', { header: 't=1,v0=x' }],
    ['the signature of another secret', { secret: 'whsec_of_somebody_else' }],
    ['a changed body', { body: '{"id":"evt_forged","type":"invoice.paid"}' }],
    ['an old timestamp', { atSeconds: Math.floor(Date.now() / 1000) - 301 }],
    ['no body', { body: '' }],
  ])('rejects %s, and stores nothing', async (_what, sent) => {
    const event = unknownEvent()
    const response = await deliver(event, sent)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'bad_signature' })
    expect(await storedEvents(event.id, 'evt_forged')).toEqual([])
  })

  it('rejects a body larger than Stripe sends', async () => {
    const response = await deliver({ ...unknownEvent(), padding: 'x'.repeat(1_100_000) })
    expect(response.status).toBe(413)
  })
})
