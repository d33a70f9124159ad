import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildReceiver, buildWorld, payWith, webhookSecret } from './testing/harness.ts'

it('sells a subscription: the creator gets 899 cents of $9.99 and the platform 100 [GEN-06, GEN-15, API-FN-02]', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  const { stripe, sandbox } = world
  const creator = await buildCreator(stripe)
  const session = await buildCheckout(stripe, creator)

  const paid = await payWith(session.url, '4242 4242 4242 4242')
  expect(paid).toMatchObject({ status: 303, location: `http://shop.test/success?session_id=${session.id}` })

  expect(sandbox.books()).toEqual({ platform: 100, accounts: { [creator.id]: 899 }, paidIn: 999 })
  const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription', 'invoice'] })
  expect(done).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    client_reference_id: 'fan-1',
    subscription: { status: 'active', metadata: { plan: 'plan-1' } },
  })
  await sandbox.webhooksSettled()
})
