import { notificationsStore } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const address = '/subscription-success?session_id=cs_1&creator_id=creator-1'
const active = {
  hasActiveSubscription: true,
  subscription: { tier: { name: 'Monthly' }, creator: { username: 'noor', display_name: 'Noor Haddad' } },
}

/** The function's answers, one call after the other; the last one stays. */
function verify(...answers: [status: number, body: unknown][]) {
  const asked: unknown[] = []
  network.use(
    http.post('*/functions/v1/verify-subscription', async ({ request }) => {
      asked.push(await request.json())
      const [status, body] = answers[Math.min(asked.length, answers.length) - 1] ?? [500, {}]
      return HttpResponse.json(body as object, { status })
    }),
  )
  return asked
}

afterEach(() => vi.restoreAllMocks())

it('sends a signed-out visitor to sign in, and back here [SUB-08]', async () => {
  const { router } = renderRoute(address)
  await waitFor(() => expect(router.state.location.search).toBe(`?next=${encodeURIComponent(address)}`))
})

it('confirms with tier and creator, and leads to the profile and the dashboard [SUB-07, SUB-09, SUB-11, SUB-12]', async () => {
  signIn({ is_creator: true })
  const asked = verify([200, active])
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: 'Subscription Successful!' })).toBeVisible()
  expect(screen.getByText('Monthly')).toBeVisible()
  expect(screen.getByText(/Subscribed to Noor Haddad/)).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Creator Profile' })).toHaveAttribute('href', '/profile/noor')
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
  const verified = 'Subscription verified! You now have access to exclusive content.'
  expect(await screen.findByText(verified)).toBeVisible()
  const shown = notificationsStore.getState().notifications.find(({ message }) => message === verified)
  expect(shown?.autoClose).toBe(5_000)
  expect(asked).toEqual([{ creatorId: 'creator-1' }])
})

it('shows a fan the creator’s face and cover and the posts just unlocked, and no screen of creators [LOOP-06]', async () => {
  signIn()
  const storage = 'http://localhost:3000/storage/v1/object/public'
  const creator = { ...noor, avatar_url: `${storage}/avatars/noor.webp`, cover_url: `${storage}/banners/noor.webp` }
  const posts = ['Newest', 'Locked', 'Second', 'Third', 'Fourth'].map((title) =>
    buildPost({ title, post_type: 'subscription', required_tier_id: 'plan-1', is_locked: title === 'Locked' }),
  )
  const asked: URLSearchParams[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('id') === `eq.${noor.id}` ? creator : viewerProfile),
    ),
    http.get('*/rest/v1/posts', ({ request }) => {
      asked.push(new URL(request.url).searchParams)
      return HttpResponse.json(posts)
    }),
  )
  verify([200, { ...active, subscription: { ...active.subscription, creator: noor } }])
  renderRoute(address)
  const unlocked = within(await screen.findByRole('region', { name: 'Just unlocked for you' }))
  expect(unlocked.getAllByRole('link').map((link) => link.textContent)).toEqual(
    ['Newest', 'Second', 'Third'].map((title) => `Some words${title}`),
  )
  expect(unlocked.getByRole('link', { name: 'Newest' })).toHaveAttribute('href', `/post/${posts[0]?.id}`)
  const pictures = [...document.querySelectorAll('main img')].map((image) => image.getAttribute('src'))
  expect(pictures).toEqual([
    expect.stringContaining('/banners/noor.webp'),
    expect.stringContaining('/avatars/noor.webp'),
  ])
  expect(asked.map((parameters) => [parameters.get('creator_id'), parameters.get('post_type')])).toEqual([
    [`eq.${noor.id}`, 'eq.subscription'],
  ])
  expect(screen.getByRole('link', { name: 'Go to your feed' })).toHaveAttribute('href', '/')
  expect(document.querySelector('main a[href^="/dashboard"]')).toBeNull()
})

it.each([
  ['a creator', active.subscription.creator, '/profile/noor'],
  ['a deleted creator', null, '/'],
])('leads from a subscription to %s to the profile or home [SUB-10]', async (_of, creator, href) => {
  signIn()
  verify([200, { ...active, subscription: { ...active.subscription, creator } }])
  renderRoute(address)
  expect(await screen.findByRole('link', { name: 'View Creator Profile' })).toHaveAttribute('href', href)
})

it('asks again while the payment is on its way', async () => {
  signIn()
  const asked = verify([200, { hasActiveSubscription: false, subscription: null, isAwaited: true }], [200, active])
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: 'Subscription Successful!' }, { timeout: 20_000 })).toBeVisible()
  expect(asked).toHaveLength(2)
})

it('says that it could not verify, and verifies on Retry [SUB-13]', async () => {
  signIn()
  verify([503, { error: 'Stripe could not be reached' }], [200, active])
  renderRoute(address)
  expect(
    await screen.findByText('Unable to verify subscription. Please contact support if you completed payment.'),
  ).toBeVisible()
  expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'Subscription Successful!' })).toBeVisible()
})

it('says that it asks once more, when the first twenty seconds were not enough [SUB-13]', async () => {
  signIn()
  verify([200, { hasActiveSubscription: false, subscription: null, isAwaited: true }])
  // The pauses between the questions, and nothing else, are left out.
  const repeat = globalThis.setInterval
  const pauses = (work: () => void, ms?: number) => repeat(work, ms === 1_500 ? 0 : ms)
  vi.spyOn(globalThis, 'setInterval').mockImplementation(pauses as typeof repeat)
  renderRoute(address)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(http.post('*/functions/v1/verify-subscription', () => new Promise<never>(() => undefined)))
  await userEvent.click(retry)
  expect(screen.getByRole('heading', { name: 'Confirming your subscription…' })).toBeVisible()
  expect(screen.getByText("We're confirming your payment. This can take up to 20 seconds.")).toBeVisible()
})

it('grants nothing without a creator in the address [SUB-13]', async () => {
  signIn()
  renderRoute('/subscription-success')
  expect(await screen.findByText(/Unable to verify subscription/)).toBeVisible()
})

it('asks once, and not for twenty seconds, where no checkout was ever started', async () => {
  signIn()
  const asked = verify([200, { hasActiveSubscription: false, subscription: null, isAwaited: false }])
  renderRoute(address)
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible()
  expect(asked).toHaveLength(1)
})

it('says that the payment was refunded, when, and what that means, and asks once [SUB-13]', async () => {
  signIn()
  const refund = { at: '2026-03-04T12:00:00Z', amountCents: 999, hasFailed: false }
  const asked = verify([
    200,
    { hasActiveSubscription: false, subscription: { ...active.subscription, creator: noor }, isAwaited: false, refund },
  ])
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: 'Payment refunded' })).toBeVisible()
  expect(
    screen.getByText(
      "Your payment of $9.99 was refunded on Mar 4, 2026. Your subscription has ended and won't renew. The money can take a few days to reach your account.",
    ),
  ).toBeVisible()
  expect(screen.getByRole('link', { name: 'View Creator Profile' })).toHaveAttribute('href', '/profile/noor')
  expect(screen.queryByText('Not confirmed yet')).not.toBeInTheDocument()
  expect(asked).toHaveLength(1)
})
