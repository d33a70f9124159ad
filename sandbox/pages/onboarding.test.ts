import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildReceiver, buildWorld, type World, webhookSecret } from '../testing/harness.ts'
import { onboardingAnswers, type Page, submit, visit } from '../visit.ts'

async function buildLink({ stripe }: World, about: Stripe.AccountCreateParams = {}) {
  const account = await stripe.accounts.create({
    type: 'express',
    email: 'ada@example.com',
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { profile: 'p1' },
    ...about,
  })
  const link = await stripe.accountLinks.create({
    account: account.id,
    type: 'account_onboarding',
    refresh_url: 'http://shop.test/refresh',
    return_url: 'http://shop.test/return',
  })
  return { account, link }
}

/** What the page's fields contain, by name. */
const valuesIn = ({ text }: Page): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input id="(\w+)" name="\w+" type="(?:text|email)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

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

it('keeps every field that was right, so that correcting the marked ones finishes', async () => {
  await using world = await buildWorld()
  const { link } = await buildLink(world)
  const wrong = { ssn: '1234', website: 'my site' }
  const first = await submit(await visit(link.url), { ...onboardingAnswers, ...wrong })
  expect(first.text).toContain('2 fields need your attention')
  const { terms: _ticked, ...typed } = onboardingAnswers
  expect(valuesIn(first)).toEqual({ ...typed, ssn: '', website: wrong.website })

  const second = await submit(first, { ...valuesIn(first), ssn: '0000', terms: 'yes' })
  expect(second.text).toContain('One field needs your attention')
  expect(valuesIn(second)).toEqual({ ...typed, website: wrong.website })

  const sent = await submit(second, { ...valuesIn(second), website: 'https://example.com', terms: 'yes' })
  expect(sent.location).toBe('http://shop.test/return')
})

it('puts the cursor into the first refused field', async () => {
  await using world = await buildWorld()
  const { link } = await buildLink(world)
  const page = await submit(await visit(link.url), { ...onboardingAnswers, routing: '1', account: '2' })
  const focused = page.text.match(/<input[^>]* autofocus[^>]*>/g) ?? []
  expect(focused).toHaveLength(1)
  expect(focused[0]).toContain('id="routing"')
})

it.each([
  ['ivobrandt.example', 'https://ivobrandt.example'],
  ['ivobrandt.example/music', 'https://ivobrandt.example/music'],
  ['HTTP://ivobrandt.example', 'HTTP://ivobrandt.example'],
  ['', null],
])('accepts the website %j', async (website, url) => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world)
  const page = await visit(link.url)
  expect(page.text).toContain('Your website (optional)')
  expect((await submit(page, { ...onboardingAnswers, website })).location).toBe('http://shop.test/return')
  expect((await world.stripe.accounts.retrieve(account.id)).business_profile).toMatchObject({ url })
})

it.each([
  'ivobrandt',
  'my site.example',
  'ada@example.com',
  'mailto:ada@example.com',
  'ftp://example.com',
  'javascript:alert(1)',
])('refuses the website %j', async (website) => {
  await using world = await buildWorld()
  const { link } = await buildLink(world)
  const page = await submit(await visit(link.url), { ...onboardingAnswers, website })
  expect(page.status).toBe(422)
  expect(page.text).toContain('Enter a website like example.com, or leave this empty.')
})

it('asks accounts outside the United States for no SSN and no routing number', async () => {
  await using world = await buildWorld()
  const { account, link } = await buildLink(world, { country: 'DE' })
  expect(account.requirements?.currently_due).not.toContain('individual.ssn_last_4')
  const page = await visit(link.url)
  const { terms, ssn: _ssn, routing: _routing, ...asked } = onboardingAnswers
  expect(Object.keys(valuesIn(page))).toEqual(Object.keys(asked))
  expect((await submit(page, { ...asked, terms })).location).toBe('http://shop.test/return')
  expect((await world.stripe.accounts.retrieve(account.id)).external_accounts?.data).toMatchObject([
    { country: 'DE', last4: '6789', routing_number: null },
  ])
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

it("keeps the account's email among the test data", async () => {
  await using world = await buildWorld()
  const { link } = await buildLink(world, { email: 'ivo@brandt.example' })
  const filled = await submit(await visit(link.url), { fill: 'test' })
  expect(valuesIn(filled).email).toBe('ivo@brandt.example')
})

it('finishes when Enter is pressed in a field, and does not replace what was typed with test data', async () => {
  await using world = await buildWorld()
  const { link } = await buildLink(world)
  const { text } = await visit(link.url)
  // Enter presses the first submit button of the field's form.
  const form = text.match(/<form[\s\S]*?<\/form>/g)?.find((one) => one.includes('id="first"'))
  expect(form?.match(/<button[^>]*>[^<]*/)?.[0]).toContain('Finish setup')
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
