import { expect, it } from 'vitest'
import { buildReceiver, buildWorld, type World, webhookSecret } from '../testing/harness.ts'
import { onboardingAnswers, submit, visit } from '../visit.ts'

async function buildLink({ stripe }: World) {
  const account = await stripe.accounts.create({
    type: 'express',
    email: 'ada@example.com',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { profile: 'p1' },
  })
  const link = await stripe.accountLinks.create({
    account: account.id,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/refresh',
    return_url: 'http://shop.test/return',
  })
  return { account, link }
}

it('makes an account ready to charge, says so, and sends the creator back [ONB-06, API-FN-04]', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  const { account, link } = await buildLink(world)
  expect(account).toMatchObject({ charges_enabled: false, payouts_enabled: false, details_submitted: false })
  expect(account.requirements?.currently_due).toContain('external_account')
  expect(account.capabilities).toEqual({ card_payments: 'inactive', transfers: 'inactive' })

  const sent = await submit(await visit(link.url), onboardingAnswers)
  expect(sent).toMatchObject({ status: 303, location: 'http://shop.test/return' })
  expect(await world.stripe.accounts.retrieve(account.id)).toMatchObject({
    charges_enabled: true,
    payouts_enabled: true,
    details_submitted: true,
    capabilities: { card_payments: 'active', transfers: 'active' },
    requirements: { currently_due: [], disabled_reason: null },
    external_accounts: { data: [{ last4: '6789' }] },
    metadata: { profile: 'p1' },
  })
  await world.sandbox.webhooksSettled()
  expect(receiver.events).toMatchObject([
    { type: 'account.updated', account: account.id, data: { previous_attributes: { charges_enabled: false } } },
  ])
  expect((await visit(link.url)).location).toBe('http://shop.test/return')
})

it('says what is wrong field by field and never sends a secret back', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  const page = await submit(await visit(link.url), {
    ...onboardingAnswers,
    born: '02/30/1990',
    ssn: '1234',
    account: '998877665544',
    terms: '',
  })
  expect(page.status).toBe(422)
  expect(page.text).toContain('4 fields need your attention')
  expect(page.text).toContain('Never type a real number here.')
  expect(page.text).toContain('value="Ada"')
  expect(page.text).not.toContain('998877665544')
  expect(page.text).not.toContain('value="1234"')
  expect((await world.stripe.accounts.retrieve(account.id)).details_submitted).toBe(false)
})

it('refuses someone under 18 [GEN-07]', async () => {
  await using world = await buildWorld()
  const { link } = await buildLink(world)
  const year = new Date().getUTCFullYear() - 17
  const page = await submit(await visit(link.url), { ...onboardingAnswers, born: `01/01/${year}` })
  expect(page.status).toBe(422)
  expect(page.text).toContain('You must be at least 18 years old.')
})

it('fills in test data on request, without finishing', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  const filled = await submit(await visit(link.url), { fill: 'test' })
  expect(filled.status).toBe(200)
  expect(filled.text).toContain('value="110000000"')
  expect((await world.stripe.accounts.retrieve(account.id)).details_submitted).toBe(false)
})

it('sends a user who opens an expired link to the refresh address', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  const early = await buildLink(world)
  const form = await visit(early.link.url)
  world.sandbox.advanceClock(301)
  expect((await visit(link.url)).location).toBe('http://shop.test/refresh')
  expect((await world.stripe.accounts.retrieve(account.id)).details_submitted).toBe(false)
  // Opened in time, the form may take longer than the link.
  expect((await submit(form, onboardingAnswers)).location).toBe('http://shop.test/return')
})

it('does nothing for a form that came from elsewhere, or a link that nobody made', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  const forged = await submit(await visit(link.url), { ...onboardingAnswers, form_token: 'guessed' })
  expect(forged.status).toBe(403)
  expect((await world.stripe.accounts.retrieve(account.id)).charges_enabled).toBe(false)
  expect((await visit(`${world.sandbox.url}/sandbox/onboarding/unknown`)).status).toBe(404)
})

it('stops charging when the platform gives a capability back [ONB-06]', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  await submit(await visit(link.url), onboardingAnswers)
  const update = (requested: boolean) =>
    world.stripe.accounts.update(account.id, { capabilities: { card_payments: { requested } } })
  expect(await update(false)).toMatchObject({ charges_enabled: false, details_submitted: true })
  expect(await update(true)).toMatchObject({ charges_enabled: true })
})
