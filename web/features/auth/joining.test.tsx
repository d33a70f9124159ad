import { notificationsStore } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { answer, network, signInWays } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, buildProfile } from '../../testing/rows.ts'
import { sessionFor, signIn, viewerProfile } from '../../testing/sign-in.ts'
import { authAddress } from './mail-sent.ts'

const noor = buildProfile({
  bio: 'Light and salt.',
  avatar_url: 'http://localhost:3000/storage/v1/object/public/avatars/noor.webp',
})
const plan = {
  id: 'd0000000-0000-4000-8000-000000000001',
  creator_id: noor.id,
  name: 'Darkroom',
  description: 'Every picture, full size.',
  price_cents: 999,
  interval: 'month',
  trial_days: 7,
  benefits: ['Prints by mail'],
  terms: [],
  creator: noor,
}
const place = `/profile/noor?tab=subscribe&continue=subscribe%3A${plan.id}`
const address = `/auth?${new URLSearchParams({ next: place })}`

/** Noor's profile with one plan, for the visitor and for the viewer of `signIn`. */
beforeEach(() => {
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('username') === 'eq.ada') return HttpResponse.json([])
      return HttpResponse.json(searchParams.get('user_id') === `eq.${viewerProfile.user_id}` ? viewerProfile : noor)
    }),
    answer('subscription_products', [plan]),
    answer('posts', []),
    answer('follows', []),
    answer('notifications', []),
    answer('subscriptions', []),
    answer('session_offers', []),
    answer('rpc/record_profile_view', null),
    answer('rpc/can_message', true),
    answer('blocks', []),
    answer('messages', []),
    answer('post_likes', []),
    answer('bookmarks', []),
    answer('rpc/get_conversations', []),
    answer('rpc/get_thread', []),
    answer('rpc/record_post_views', null),
  )
})

async function fillSignUp() {
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('checkbox', { name: /I am at least 18/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
}

it('greets a visitor who has an account too [LOOP-04]', async () => {
  renderRoute(address)
  await userEvent.click(await screen.findByRole('tab', { name: 'Sign In' }))
  expect(screen.getByRole('heading', { level: 1, name: 'Sign in to subscribe to Noor Haddad' })).toBeVisible()
})

it('asks a visitor who joins for email, password, and consent, and pitches nothing [LOOP-04, AUTH-05, AUTH-06, AUTH-11]', async () => {
  const sent: { data?: unknown }[] = []
  network.use(
    http.post('*/auth/v1/signup', async ({ request }) => {
      sent.push((await request.json()) as { data?: unknown })
      return HttpResponse.json({ id: viewerProfile.user_id, email: 'ada@example.com' })
    }),
  )
  renderRoute(address)
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  expect(screen.getByText(/create a free account below/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Join as a creator' })).not.toBeInTheDocument()
  const form = within(await screen.findByRole('tabpanel', { name: 'Sign Up' }))
  expect([...form.getAllByRole('textbox'), form.getByLabelText('Password')].map(({ id }) => id)).toHaveLength(2)
  expect(form.getAllByRole('checkbox')).toHaveLength(1)
  const more = form.getByRole('button', { name: 'Choose a username (optional)' })
  expect(more).toHaveAttribute('aria-expanded', 'false')
  await userEvent.click(more)
  await userEvent.type(form.getByLabelText('Username'), 'ada')
  expect(form.getByLabelText('Display name')).toBeVisible()
  expect(form.getByRole('checkbox', { name: 'I want to be a creator and monetize my content' })).toBeVisible()
  // A value that would be sent stays in view.
  await userEvent.click(more)
  expect(form.getByLabelText('Username')).toHaveValue('ada')
  await fillSignUp()
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(sent).toMatchObject([{ data: { username: 'ada', is_creator: false, terms_accepted: true } }])
})

const post = buildPost({ title: 'The pier', post_type: 'ppv', ppv_price: 1250, is_locked: true, creator: noor })

it.each([
  [
    'subscribe to',
    '/profile/noor?tab=subscribe',
    'button',
    'Subscribe Now: Darkroom',
    ['Darkroom', '$9.99', '7 days free', 'Prints by mail'],
  ],
  ['unlock a post by', `/post/${post.id}`, 'button', 'Purchase', ['The pier', '$12.50']],
  ['tip', '/profile/noor', 'button', 'Tip', ['Light and salt.']],
  ['message', '/profile/noor', 'link', 'Message', ['Light and salt.']],
  ['follow', '/profile/noor', 'button', 'Follow Noor Haddad', ['Light and salt.']],
])(
  'lets a visitor who wants to %s a creator join beside their face and the price, and then return [LOOP-04, GEN-40]',
  async (what, screenPath, role, name, details) => {
    network.use(answer('posts', [post]), answer('comments', []))
    const { router } = renderRoute(screenPath)
    await userEvent.click(await screen.findByRole(role, { name }))
    // In context: above the form, the action; beside it, the creator and the price.
    expect(await screen.findByRole('heading', { level: 1, name: `Join to ${what} Noor Haddad` })).toBeVisible()
    expect(screen.getByText('Sign In Required')).toBeVisible()
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Sign Up', 'Sign In'])
    expect(screen.getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
    const card = screen.getByRole('article')
    for (const text of ['Noor Haddad', '@noor', ...details]) expect(within(card).getByText(text)).toBeVisible()
    expect(card.querySelector('img[src*="/avatars/noor.webp"]')).toBeInTheDocument()
    expect(notificationsStore.getState().notifications).toEqual([])

    // The new user returns to the screen; a message goes on in its conversation.
    network.use(http.post('*/auth/v1/signup', () => HttpResponse.json(sessionFor())))
    await fillSignUp()
    const { pathname, searchParams } = new URL(
      what === 'message' ? '/messages?with=noor' : screenPath,
      window.location.origin,
    )
    await waitFor(() => expect(router.state.location.pathname).toBe(pathname))
    for (const [parameter, value] of searchParams)
      expect(new URLSearchParams(router.state.location.search).get(parameter)).toBe(value)
    if (what !== 'message') expect(await screen.findByRole('dialog')).toHaveTextContent('Noor Haddad')
  },
)

it('sets a name with right-to-left marks apart, and shows the username beside it [LOOP-04]', async () => {
  const name = '\u202eegroeG'
  network.use(answer('subscription_products', [{ ...plan, creator: { ...noor, display_name: name } }]))
  renderRoute(address)
  const heading = await screen.findByRole('heading', { level: 1, name: `Join to subscribe to ${name}` })
  expect(heading.querySelector('bdi')).toHaveTextContent(name)
  expect(screen.getByRole('article').querySelector('bdi')).toHaveTextContent(name)
  expect(screen.getByText('@noor')).toBeVisible()
})

it('shows nothing that a link says, only what the server knows [LOOP-04]', async () => {
  renderRoute('/auth?next=%2Fprofile%2Fnoor%3Fcontinue%3Dsubscribe%3AFree%2520money')
  expect(await screen.findByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  expect(screen.queryByText('Sign In Required')).not.toBeInTheDocument()
  expect(document.body).not.toHaveTextContent('Free money')
})

it('asks a new user before anything is bought, where they left off [LOOP-04]', async () => {
  network.use(http.post('*/auth/v1/signup', () => HttpResponse.json(sessionFor())))
  const orders: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-subscription-checkout', async ({ request }) => {
      orders.push(await request.json())
      return HttpResponse.json({ success: false, error: 'Stripe is down' }, { status: 502 })
    }),
  )
  const { router } = renderRoute(address)
  await fillSignUp()
  const dialog = within(await screen.findByRole('dialog', { name: 'Continue where you left off' }))
  expect(router.state.location.pathname).toBe('/profile/noor')
  expect(router.state.location.search).toContain('tab=subscribe')
  expect(dialog.getByText('Darkroom')).toBeVisible()
  expect(orders).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Subscribe Now' }))
  expect(await screen.findByText('Stripe is down')).toBeVisible()
  expect(orders).toEqual([{ productId: plan.id }])
  await userEvent.click(dialog.getByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(router.state.location.search).toBe('?tab=subscribe')
})

it('confirms an email by a link that leads back to where the visitor left off [LOOP-04, AUTH-16]', async () => {
  const links: (string | null)[] = []
  const keepLink = ({ request }: { request: Request }) => {
    links.push(new URL(request.url).searchParams.get('redirect_to'))
    return HttpResponse.json({ id: viewerProfile.user_id, email: 'ada@example.com' })
  }
  network.use(http.post('*/auth/v1/signup', keepLink))
  renderRoute(address)
  await fillSignUp()
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  // What the visitor joins for stays beside the form.
  expect(screen.getByRole('heading', { level: 1, name: /subscribe to Noor Haddad/ })).toBeVisible()
  expect(links).toEqual([`http://localhost:3000${address}`])
})

it('leads a new user of another service through the consent to where they left off [LOOP-04, D16]', async () => {
  signIn()
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const isViewer = new URL(request.url).searchParams.get('user_id') === `eq.${viewerProfile.user_id}`
      return HttpResponse.json(isViewer ? { ...viewerProfile, terms_accepted_at: null } : noor)
    }),
    http.post('*/rest/v1/rpc/accept_terms', () => HttpResponse.json('2024-05-05T00:00:00Z')),
  )
  expect(authAddress({ next: place, tab: 'welcome' })).toBe(
    `http://localhost:3000/auth?${new URLSearchParams({ tab: 'welcome', next: place })}`,
  )
  const { router } = renderRoute(`/auth?${new URLSearchParams({ tab: 'welcome', next: place })}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Join to subscribe to Noor Haddad' })).toBeVisible()
  await userEvent.click(await screen.findByRole('checkbox', { name: /I am at least 18/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByRole('dialog', { name: 'Continue where you left off' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/profile/noor')
})

it('signs in an address that has an account, with what the visitor wanted [LOOP-04, AUTH-13]', async () => {
  network.use(
    http.post('*/auth/v1/signup', () =>
      HttpResponse.json(
        { code: 422, error_code: 'user_already_exists', msg: 'User already registered' },
        { status: 422 },
      ),
    ),
    http.post('*/auth/v1/token', () => HttpResponse.json(sessionFor())),
    answer('subscriptions', [{ id: 's1', tier_id: plan.id }]),
  )
  const { router } = renderRoute(address)
  await fillSignUp()
  expect(await screen.findByRole('alert')).toHaveTextContent('User already registered')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in instead' }))
  expect(await screen.findByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/noor'))
  // The account is subscribed already: there is nothing to ask.
  await waitFor(() => expect(router.state.location.search).toBe('?tab=subscribe'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('says that a creator has left, and leads to others [LOOP-04]', async () => {
  network.use(answer('subscription_products', []), answer('rpc/count_creators', 0))
  const { router } = renderRoute(address)
  expect(await screen.findByText(/isn't available anymore/)).toBeVisible()
  expect(screen.queryByText('Sign In Required')).not.toBeInTheDocument()
  await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fexplore'))
})

it('still signs up when the plan cannot be loaded [LOOP-04]', async () => {
  network.use(
    http.get('*/rest/v1/subscription_products', () => HttpResponse.json({ message: 'down' }, { status: 500 })),
  )
  renderRoute(address)
  expect(
    await screen.findByRole('heading', { level: 1, name: 'Sign in or create an account to continue.' }),
  ).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
})

it('offers sign-in first where no new accounts are accepted [LOOP-04]', async () => {
  network.use(signInWays({ disable_signup: true }))
  renderRoute(address)
  expect(await screen.findByRole('heading', { level: 1, name: 'Sign in to subscribe to Noor Haddad' })).toBeVisible()
})
