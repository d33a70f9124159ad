import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const id = '33333333-3333-4333-8333-333333333333'
const address = `/oauth/consent?authorization_id=${id}`
const app = {
  id: 'a1',
  name: 'Reader',
  uri: 'https://reader.example/about',
  logo_uri: 'https://reader.example/logo.png',
}
const request = {
  authorization_id: id,
  redirect_uri: 'https://reader.example/callback',
  client: app,
  user: { id: 'u1', email: 'ada@example.com' },
  scope: 'openid email',
}

const refusal = (status: number, code: string, msg = 'no') =>
  HttpResponse.json({ code, message: msg, msg, error_code: code }, { status })

/** What auth/v1 answers to the screen's questions, one after the other; the last one stays. */
function asks(...answers: (() => Response)[]) {
  let asked = 0
  network.use(
    http.get(`*/auth/v1/oauth/authorizations/${id}`, () => {
      const next = answers[Math.min(asked++, answers.length - 1)]
      return next ? next() : HttpResponse.error()
    }),
  )
}
function takes(respond: () => Response) {
  const sent: unknown[] = []
  network.use(
    http.post(`*/auth/v1/oauth/authorizations/${id}/consent`, async ({ request }) => {
      sent.push(await request.json())
      return respond()
    }),
  )
  return sent
}
// Jsdom goes nowhere but within the page.
const here = (hash: string) => `${window.location.href.split('#')[0]}${hash}`
const open = () => HttpResponse.json(request)

it('asks a visitor to sign in first, and brings them back with the request [D35]', async () => {
  const { router } = renderRoute(address)
  await waitFor(() => expect(router.state.location.search).toBe(`?next=${encodeURIComponent(address)}`))
})

it('shows who asks, for what, as whom, and where it leads [GEN-35]', async () => {
  signIn()
  asks(open)
  renderRoute(address)
  expect(await screen.findByRole('heading', { level: 1, name: 'Reader wants to use your account' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'reader.example' })).toHaveAttribute('href', app.uri)
  expect(screen.getByText('Signed in as ada@example.com')).toBeVisible()
  const could = screen.getByRole('list', { name: 'Reader could' })
  expect(
    within(could)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^Use .* as you: read what you can read/),
    'Recognize you when you come back',
    'See your email address',
  ])
  expect(screen.getByText(/can't pay, withdraw money/)).toBeVisible()
  expect(screen.getByText(/only if you trust reader\.example/)).toBeVisible()
  // Another site's picture is not asked for.
  expect(document.querySelector('img[src*="logo.png"]')).toBeNull()
})

it.each([
  ['Allow', 'approve'],
  ['Cancel', 'deny'],
])('sends "%s" once, and leaves for the app', async (name, action) => {
  signIn()
  asks(open)
  const sent = takes(() => HttpResponse.json({ redirect_url: here('#back') }))
  renderRoute(address)
  await userEvent.dblClick(await screen.findByRole('button', { name }))
  expect(await screen.findByText('Taking you to reader.example…')).toBeVisible()
  await waitFor(() => expect(window.location.hash).toBe('#back'))
  expect(sent).toEqual([{ action }])
})

it('goes on at once where the person allowed as much before', async () => {
  signIn()
  asks(() => HttpResponse.json({ redirect_url: here('#known') }))
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: /^Taking you to/ })).toBeVisible()
  await waitFor(() => expect(window.location.hash).toBe('#known'))
})

it.each([
  ['expired or answered', 404, 'oauth_authorization_not_found', 'This request is no longer open'],
  ['asked for too often', 429, 'over_request_rate_limit', 'Too many requests'],
])('says that a request is %s', async (_what, status, code, title) => {
  signIn()
  asks(() => refusal(status, code))
  renderRoute(address)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/')
})

it.each([
  ['?error=oauth_client_not_found', 'This app is not known here'],
  ['?error=validation_failed', "The app's request has a mistake"],
  ['?error=over_request_rate_limit', 'Too many requests'],
  ['?error=<script>', 'This request is no longer open'],
  ['', 'This request is no longer open'],
])('says at /oauth/consent%s, to visitors too, why there is nothing to decide', async (query, title) => {
  renderRoute(`/oauth/consent${query}`)
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible()
})

it('offers a retry when the server can’t be reached [ERR-05]', async () => {
  signIn()
  asks(() => HttpResponse.error())
  renderRoute(address)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  asks(open)
  await userEvent.click(retry)
  expect(await screen.findByRole('button', { name: 'Allow' })).toBeEnabled()
})

it('keeps the screen when the answer did not arrive, and gives up when the request has expired', async () => {
  signIn()
  asks(open)
  takes(() => HttpResponse.error())
  renderRoute(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Allow' }))
  expect(await screen.findByText('Your answer could not be sent')).toBeVisible()
  takes(() => refusal(404, 'oauth_authorization_not_found'))
  await userEvent.click(screen.getByRole('button', { name: 'Allow' }))
  expect(await screen.findByRole('heading', { name: 'This request is no longer open' })).toBeVisible()
})

it('signs out to use another account, which comes back to the request', async () => {
  signIn()
  asks(open)
  network.use(http.post('*/auth/v1/logout', () => new HttpResponse(null, { status: 204 })))
  const { router } = renderRoute(address)
  await userEvent.click(await screen.findByRole('button', { name: 'Use another account' }))
  await waitFor(() => expect(router.state.location.search).toBe(`?next=${encodeURIComponent(address)}`))
})
