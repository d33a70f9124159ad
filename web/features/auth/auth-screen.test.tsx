import { categories } from '@ovation/contract/limits'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { authClient } from '../../lib/auth/auth-client.ts'
import { rememberReferral } from '../../lib/auth/referral.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildFrontCreator } from '../../testing/rows.ts'
import { sessionFor, signIn, viewerProfile } from '../../testing/sign-in.ts'

afterEach(() => void vi.unstubAllGlobals())

const consent = 'I am at least 18 years old and agree to the Terms of Service and Privacy Policy'

async function fillSignUp(over: Partial<Record<'Email' | 'Username' | 'Display name' | 'Password', string>> = {}) {
  const values = {
    Email: 'ada@example.com',
    Username: 'Ada Love',
    'Display name': 'Ada',
    Password: 'long enough',
    ...over,
  }
  for (const [label, value] of Object.entries(values)) {
    const field = await screen.findByLabelText(label)
    await userEvent.clear(field)
    if (value) await userEvent.type(field, value)
  }
}

const submitSignUp = () => userEvent.click(screen.getByRole('button', { name: 'Sign Up' }))

/** Answers sign-up and keeps what was sent. */
function acceptSignUp(body: unknown = sessionFor(), status = 200) {
  const sent: Record<string, unknown>[] = []
  network.use(
    http.post('*/auth/v1/signup', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json(body as object, { status })
    }),
  )
  return sent
}

it('signs a person in and brings them back to where they came from [AUTH-04, AUTH-08, AUTH-18]', async () => {
  network.use(
    http.post('*/auth/v1/token', () => HttpResponse.json(sessionFor())),
    answer('profiles', [viewerProfile]),
    answer('notifications', []),
    answer('rpc/get_feed', []),
    answer('rpc/discover_creators', []),
  )
  const { router } = renderRoute('/auth?next=%2Fprivacy-policy')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/privacy-policy'))
  // A user who is already signed in goes to the home page.
  await router.navigate('/auth')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

it('tells the suspended whom to write to [AUTH-14, GEN-05]', async () => {
  network.use(
    http.post('*/auth/v1/token', () =>
      HttpResponse.json({ code: 403, error_code: 'user_banned', msg: 'User is banned' }, { status: 403 }),
    ),
  )
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'her password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This account is suspended. If you think this is a mistake, email support@ovation.example.',
  )
})

it('says why a sign-in failed, and keeps what was typed [AUTH-14]', async () => {
  network.use(
    http.post('*/auth/v1/token', () =>
      HttpResponse.json({ code: 'invalid_credentials', msg: 'Invalid login credentials' }, { status: 400 }),
    ),
  )
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'wrong password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Sign in failed')
  expect(alert).toHaveTextContent('Invalid login credentials')
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
})

it.each([
  [
    'invalid credentials',
    { code: 'invalid_credentials', msg: 'Invalid login credentials' },
    400,
    'Invalid login credentials',
  ],
  [
    'a weak password',
    { code: 'weak_password', msg: 'Password is too common', weak_password: { reasons: ['pwned'] } },
    422,
    'Password is too common',
  ],
  ['a token answer without a session', {}, 200, 'Auth session or user missing'],
])("shows the client's own error for %s [ERR-03]", async (_, body, status, message) => {
  network.use(http.post('*/auth/v1/token', () => HttpResponse.json(body, { status })))
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'some password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Sign in failed')
  expect(alert).toHaveTextContent(message)
})

it.each([
  ['a proxy answers 502', () => new HttpResponse('<html>', { status: 502, statusText: 'Bad Gateway' })],
  ['a proxy answers 503', () => new HttpResponse('<html>', { status: 503 })],
  ['a proxy answers 504', () => new HttpResponse('', { status: 504, statusText: 'Gateway Timeout' })],
  ['nobody answers', () => HttpResponse.error()],
])('says what helps when %s, and signs in with the next press [ERR-04]', async (_, response) => {
  network.use(http.post('*/auth/v1/token', response))
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.type(screen.getByLabelText('Password'), 'a good password')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByRole('alert')).toHaveTextContent("We can't reach the server")
  let asked = 0
  network.use(
    http.post('*/auth/v1/token', () => {
      asked++
      return HttpResponse.json({ code: 'invalid_credentials', msg: 'Invalid login credentials' }, { status: 400 })
    }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(await screen.findByText('Invalid login credentials')).toBeVisible()
  expect(asked).toBe(1)
})

it('shows the client library’s message when there is no session [ERR-02]', async () => {
  const { error } = await (await authClient()).updateUser({ data: { hello: 'there' } })
  expect(error?.message).toBe('Auth session missing!')
})

it('requires email and password, and puts the focus on the first wrong field [AUTH-08]', async () => {
  renderRoute('/auth')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign In' }))
  const email = screen.getByLabelText('Email')
  expect(email).toHaveAccessibleDescription('Enter your email')
  expect(email).toHaveFocus()
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Enter your password')
})

it('shows and hides the password, by keyboard too [AUTH-04]', async () => {
  renderRoute('/auth')
  const password = await screen.findByLabelText('Password')
  expect(screen.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  expect(screen.getByLabelText('Email')).toBeVisible()
  expect(password).toHaveAttribute('type', 'password')
  const toggle = screen.getByRole('button', { name: 'Show password' })
  toggle.focus()
  await userEvent.keyboard('{Enter}')
  expect(password).toHaveAttribute('type', 'text')
  expect(screen.getByRole('button', { name: 'Hide password' })).toBeVisible()
})

it('signs up with the consent and the referral, then welcomes [AUTH-01, AUTH-02, AUTH-05, AUTH-06, AUTH-07, AUTH-09, AUTH-15]', async () => {
  rememberReferral(new URL('/auth?ref=REF1234ABCD', window.location.origin)) // as the start of the app does
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('username') ? [] : viewerProfile),
    ),
    answer('notifications', []),
    answer('follows', []),
    answer('rpc/get_feed', []),
    answer('rpc/discover_creators', []),
  )
  const sent = acceptSignUp()
  const { router } = renderRoute('/auth')
  await fillSignUp()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Sign In', 'Sign Up'])
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByText('Welcome to Ovation!')).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(sent).toMatchObject([
    {
      email: 'ada@example.com',
      password: 'long enough',
      data: { username: 'adalove', display_name: 'Ada', is_creator: false, terms_accepted: true, ref: 'REF1234ABCD' },
    },
  ])
  expect(localStorage.getItem('ovation-referral')).toBeNull()
})

it.each([
  ['the box', '/auth?tab=sign-up', '/creator-verification'],
  ['the box, after an invitation', '/auth?next=%2F%3Fref%3DREF1', '/creator-verification'],
  ['the button for creators', '/auth', '/creator-verification'],
  ['the box, from a screen', '/auth?tab=sign-up&next=%2Fprivacy-policy', '/privacy-policy'],
])('leads from sign-up as a creator to the application: %s [AUTH-06, LOOP-07]', async (way, from, landing) => {
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.has('username') ? [] : { ...viewerProfile, is_creator: true },
      ),
    ),
    answer('notifications', []),
    answer('creator_applications', []),
  )
  const sent = acceptSignUp()
  const { router } = renderRoute(from)
  if (way === 'the button for creators')
    await userEvent.click(await screen.findByRole('button', { name: 'Join as a creator' }))
  else await userEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  await fillSignUp()
  const box = screen.getByRole('checkbox', { name: 'I want to be a creator and monetize my content' })
  if (way !== 'the button for creators') await userEvent.click(box)
  expect(box).toBeChecked()
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  await waitFor(() => expect(router.state.location.pathname).toBe(landing))
  expect(sent).toMatchObject([{ data: { is_creator: true } }])
})

it('leads home again when the user no longer wants to be a creator [AUTH-15, LOOP-07]', async () => {
  network.use(answer('profiles', []))
  acceptSignUp({ code: 500, msg: 'down' }, 500)
  const { router } = renderRoute('/auth?tab=sign-up')
  await fillSignUp()
  await userEvent.click(screen.getByRole('checkbox', { name: 'I want to be a creator and monetize my content' }))
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByText('down')).toBeVisible()
  expect(router.state.location.search).toContain('next=%2Fcreator-verification')
  await userEvent.click(screen.getByRole('checkbox', { name: 'I want to be a creator and monetize my content' }))
  await submitSignUp()
  await waitFor(() => expect(router.state.location.search).not.toContain('next='))
})

it('does not sign up without consent, nor with a short password [AUTH-07, AUTH-12, GEN-07]', async () => {
  network.use(answer('profiles', []))
  const sent = acceptSignUp({ id: viewerProfile.user_id, email: 'ada@example.com' })
  renderRoute('/auth?tab=sign-up')
  await fillSignUp({ Password: 'short' })
  await submitSignUp()
  expect(await screen.findByText('Please confirm your age and agree to the terms')).toBeVisible()
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/Use at least 8 characters/)
  expect(screen.getByLabelText('Password')).toHaveFocus()
  await userEvent.clear(screen.getByLabelText('Password'))
  await userEvent.type(screen.getByLabelText('Password'), 'long enough')
  await submitSignUp()
  expect(screen.getByText('Please confirm your age and agree to the terms')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(sent).toHaveLength(1)
})

it('leaves username and display name to the server when they are empty [AUTH-11]', async () => {
  const sent = acceptSignUp({ id: viewerProfile.user_id, email: 'ada@example.com' })
  renderRoute('/auth?tab=sign-up')
  await fillSignUp({ Username: '', 'Display name': '' })
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(sent[0]?.data).toEqual({ is_creator: false, terms_accepted: true })
})

it('asks to verify the email when sign-up gives no session [AUTH-16, AUTH-17]', async () => {
  network.use(answer('profiles', []))
  acceptSignUp({ id: viewerProfile.user_id, email: 'ada@example.com' })
  renderRoute('/auth?tab=sign-up')
  await fillSignUp()
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByText(/We sent a link to ada@example\.com/)).toBeVisible()
})

it('names a username that is taken, before the form is sent [AUTH-10]', async () => {
  network.use(answer('profiles', [{ id: 'somebody' }]))
  const sent = acceptSignUp()
  renderRoute('/auth?tab=sign-up')
  await fillSignUp()
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByText('Username taken')).toBeVisible()
  const username = screen.getByLabelText('Username')
  expect(username).toHaveAccessibleDescription(/This username is already taken\. Please choose another one\./)
  expect(username).toHaveFocus()
  expect(sent).toEqual([])
})

it('maps the unique constraint to the same words [AUTH-10]', async () => {
  network.use(answer('profiles', []))
  acceptSignUp({ code: 'unexpected_failure', msg: 'This username is already taken. Please choose another one.' }, 422)
  renderRoute('/auth?tab=sign-up')
  await fillSignUp()
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  expect(await screen.findByText('Username taken')).toBeVisible()
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription(
    /This username is already taken\. Please choose another one\./,
  )
  expect(screen.queryByText('Sign up failed')).not.toBeInTheDocument()
})

it('says why a sign-up failed, with the words of the server [AUTH-13]', async () => {
  network.use(answer('profiles', []))
  acceptSignUp({ code: 'user_already_exists', msg: 'User already registered' }, 422)
  renderRoute('/auth?tab=sign-up')
  await fillSignUp()
  await userEvent.click(screen.getByRole('checkbox', { name: consent }))
  await submitSignUp()
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Sign up failed')
  expect(alert).toHaveTextContent('User already registered')
})

it('keeps what was typed while the other tab is open', async () => {
  renderRoute('/auth')
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@example.com')
  await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
  await screen.findByLabelText('Username')
  await userEvent.click(screen.getByRole('tab', { name: 'Sign In' }))
  await screen.findByRole('button', { name: 'Sign In' })
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com')
})

it('sends a person who is signed in already on to the home page [AUTH-18]', async () => {
  signIn()
  network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
  const { router } = renderRoute('/auth')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

it('pitches the product [AUTH-03]', async () => {
  const { router } = renderRoute('/auth')
  expect(
    await screen.findByRole('heading', { name: 'Get paid for pay-per-view posts, not just subscriptions.' }),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Join as a creator' }))
  expect(await screen.findByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  const box = () => screen.getByRole('checkbox', { name: 'I want to be a creator and monetize my content' })
  expect(box()).toBeChecked()
  await userEvent.click(box())
  await userEvent.click(screen.getByRole('button', { name: 'Join as a creator' }))
  expect(box()).toBeChecked()
  await userEvent.click(box())
  // As the visitor left it, over a reload too.
  cleanup()
  renderRoute(`/auth${router.state.location.search}`)
  expect(await screen.findByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  expect(box()).not.toBeChecked()
})

it('brings the form into view when a visitor joins: on a phone, it is below the creators [AUTH-03, GEN-31, LOOP-03]', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  renderRoute('/auth')
  const card = (await screen.findByRole('tablist')).closest('.surface')
  const join = await screen.findByRole('button', { name: 'Join as a creator' })
  expect(scroll.mock.contexts).not.toContain(card)
  await userEvent.click(join)
  await waitFor(() => expect(scroll.mock.contexts).toContain(card))
  // The keyboard goes on there, too.
  expect(card).toHaveFocus()
  for (const control of [screen.getByRole('link', { name: 'Join Now' }), join]) {
    scroll.mockClear()
    await userEvent.click(control)
    await waitFor(() => expect(scroll.mock.contexts).toContain(card))
  }
})

it('brings the sign-in form into view and focuses its first field when a visitor presses Sign In in the header [GEN-31, LOOP-03]', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  // With an invitation, sign-up comes first.
  const { router } = renderRoute('/auth?ref=NOOR1234')
  expect(await screen.findByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  const card = screen.getByRole('tablist').closest('.surface')
  expect(scroll.mock.contexts).not.toContain(card)
  for (const _press of [1, 2]) {
    scroll.mockClear()
    await userEvent.click(screen.getByRole('link', { name: 'Sign In' }))
    expect(await screen.findByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
    await waitFor(() => expect(scroll.mock.contexts).toContain(card))
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus())
  }
  // Back to a screen and in again: the shell's own move of the focus comes first.
  await router.navigate('/privacy-policy')
  await userEvent.click(await screen.findByRole('link', { name: 'Sign In' }))
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus())
  // A press within the form leaves the focus to it.
  await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
  await waitFor(() => expect(screen.getByRole('tab', { name: 'Sign Up', selected: true })).toHaveFocus())
})

it('opens at the form for a visitor who comes to join, and at their position when they come back [GEN-31]', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const { router } = renderRoute('/privacy-policy')
  await userEvent.click(await screen.findByRole('link', { name: 'Join Now' }))
  const card = (await screen.findByRole('tablist')).closest('.surface')
  await waitFor(() => expect(scroll.mock.contexts).toContain(card))
  scroll.mockClear()
  // Where ScrollRestoration puts them.
  vi.stubGlobal('scrollY', 120)
  await router.navigate('/auth?tab=sign-up')
  expect(await screen.findByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  expect(scroll.mock.contexts).toEqual([])
})

it.each([
  ['a phone', true],
  ['a desktop', false],
])(
  'shows visitors on %s the product, six creators, the categories, Explore, and search [LOOP-03]',
  async (_on, isPhone) => {
    const desktop = window.matchMedia
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...desktop(query),
      matches: query.includes('47.99em') && isPhone,
    }))
    const storage = 'http://localhost:3000/storage/v1/object/public'
    const asked: URL[] = []
    const creators = ['Dos', 'Tres', 'Cuatro', 'Cinco', 'Seis', 'Siete'].map((display_name) =>
      buildFrontCreator({
        display_name,
        username: display_name.toLowerCase(),
        avatar_url: `${storage}/avatars/a.webp`,
        cover_url: `${storage}/banners/${display_name}.webp`,
      }),
    )
    network.use(
      http.get('*/rest/v1/rpc/front_creators', ({ request }) => {
        asked.push(new URL(request.url))
        return HttpResponse.json(creators)
      }),
    )
    renderRoute('/auth')
    const front = within(await screen.findByRole('region', { name: 'Popular creators' }))
    const tiles = await front.findAllByRole('article')
    expect(tiles.map((tile) => within(tile).getByRole('heading').textContent)).toEqual([
      'Dos',
      'Tres',
      'Cuatro',
      'Cinco',
      'Seis',
      'Siete',
    ])
    const sources = [...(tiles[0]?.querySelectorAll('img') ?? [])].map((image) => image.getAttribute('src'))
    expect(sources).toEqual([
      expect.stringContaining('/banners/Dos.webp?width=640'),
      expect.stringContaining('/avatars/a.webp'),
    ])
    expect(tiles[0]).toHaveTextContent('Photography')
    expect(tiles[0]).toHaveTextContent('$9.99 / month')
    expect(front.getByRole('link', { name: 'Dos' })).toHaveAttribute('href', '/profile/dos')
    const links = within(front.getByRole('navigation', { name: 'Categories' })).getAllByRole('link')
    expect(links.map((link) => link.textContent)).toEqual([...categories])
    expect(links[2]).toHaveAttribute('href', '/explore?category=Photography')
    expect(front.getByRole('link', { name: 'Explore all creators' })).toHaveAttribute('href', '/explore')
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^The work you love/)
    expect(asked).toHaveLength(1)
    const bar = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(bar.getByRole('link', { name: 'Explore' })).toHaveAttribute('href', '/explore')
    expect(screen.getByRole('combobox', { name: 'Search' })).toBeVisible()
    if (isPhone) expect(bar.getByRole('link', { name: 'Search' })).toHaveAttribute('href', '/search')
    expect(screen.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  },
)

it('offers to try again when the creators of the front page cannot be loaded [LOOP-03]', async () => {
  network.use(fail('rpc/front_creators'))
  renderRoute('/auth')
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  network.resetHandlers()
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('The first creators will appear here soon.')).toBeVisible()
})

it('shows the operator’s words, pictures, color, and creators [FIND-06]', async () => {
  const page = {
    headline: 'Photos from Lisbon',
    message: 'Seven artists.\n<b>One city.</b>',
    accent: '#1f5f99',
    picture_path: 'picture/1.png',
    picture_alt: 'A tram',
    logo_path: 'logo/1.png',
  }
  network.use(answer('front_page', [page]), answer('rpc/front_creators', [buildFrontCreator({ is_featured: true })]))
  renderRoute('/auth')
  expect(await screen.findByRole('heading', { level: 1, name: 'Photos from Lisbon' })).toBeVisible()
  expect(screen.getByText(/Seven artists\.\s<b>One city\.<\/b>/)).toBeVisible()
  expect(screen.getByRole('img', { name: 'A tram' })).toHaveAttribute(
    'src',
    '/storage/v1/render/image/public/front-page/picture/1.png?width=1440&height=810',
  )
  expect(screen.getByRole('img', { name: 'Ovation' })).toHaveAttribute('src', expect.stringContaining('/logo/1.png'))
  expect(await screen.findByRole('region', { name: 'Featured creators' })).toBeVisible()
  await waitFor(() => expect(document.querySelector('style')?.textContent).toContain('-filled:#1f5f99'))
})

it('shows the product’s own words when the operator’s can’t be read [FIND-06]', async () => {
  network.use(fail('front_page'))
  renderRoute('/auth')
  expect(await screen.findByRole('heading', { level: 1, name: /^The work you love/ })).toBeVisible()
  expect(screen.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
})
