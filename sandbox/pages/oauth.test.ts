import { expect, it } from 'vitest'
import { buildWorld, type World } from '../testing/harness.ts'
import { onboardingAnswers, submit, visit } from '../visit.ts'

const authorizeUrl = ({ sandbox }: World, about: Record<string, string> = {}) => {
  const query = new URLSearchParams({
    client_id: sandbox.clientId,
    response_type: 'code',
    scope: 'read_write',
    state: 'state-1',
    redirect_uri: `${sandbox.url}/creator-onboarding?stripe_connect=true`,
    ...about,
  })
  return `${sandbox.url}${sandbox.publicPath}/oauth/authorize?${query}`
}

const follow = async (world: World, url: string) => {
  const { location } = await visit(url)
  return visit(`${world.sandbox.url}${location}`)
}

it('connects an account by OAuth: state and code come back, the code is good once [ONB-05, API-FN-07]', async () => {
  await using world = await buildWorld()
  const sent = await submit(await follow(world, authorizeUrl(world)), onboardingAnswers)
  const back = new URL(sent.location ?? '')
  expect(back.searchParams.get('state')).toBe('state-1')
  expect(back.searchParams.get('stripe_connect')).toBe('true')

  const code = back.searchParams.get('code') ?? ''
  const token = await world.stripe.oauth.token({ grant_type: 'authorization_code', code })
  expect(token).toMatchObject({ scope: 'read_write', livemode: false, token_type: 'bearer' })
  const account = await world.stripe.accounts.retrieve(token.stripe_user_id ?? '')
  expect(account).toMatchObject({ type: 'standard', charges_enabled: true, details_submitted: true })

  const again = world.stripe.oauth.token({ grant_type: 'authorization_code', code })
  await expect(again).rejects.toMatchObject({ type: 'StripeInvalidGrantError' })
})

it('refuses an unknown code and one that is too old', async () => {
  await using world = await buildWorld()
  const sent = await submit(await follow(world, authorizeUrl(world)), onboardingAnswers)
  const code = new URL(sent.location ?? '').searchParams.get('code') ?? ''
  world.sandbox.advanceClock(301)
  for (const wrong of [code, 'ac_unknown'])
    await expect(world.stripe.oauth.token({ grant_type: 'authorization_code', code: wrong })).rejects.toMatchObject({
      type: 'StripeInvalidGrantError',
    })
})

it('offers a way out that says no', async () => {
  await using world = await buildWorld()
  const page = await follow(world, authorizeUrl(world))
  expect(page.text).toContain('error=access_denied')
})

it.each([
  [{ client_id: 'ca_other' }, 'No application matches'],
  [{ redirect_uri: 'https://stranger.test/' }, 'must lead back to the site'],
  [{ response_type: 'token' }, 'response_type'],
])('sends nobody to a stranger: %o', async (wrong, message) => {
  await using world = await buildWorld()
  const page = await visit(authorizeUrl(world, wrong))
  expect(page.status).toBe(400)
  expect(page.text).toContain(message)
})
