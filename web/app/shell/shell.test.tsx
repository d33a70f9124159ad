import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, vi } from 'vitest'
import { viewerQuery } from '../../lib/auth/viewer.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const unread = (count: number) =>
  network.use(
    http.head('*/rest/v1/notifications', () => new HttpResponse(null, { headers: { 'content-range': `*/${count}` } })),
  )

afterEach(() => void vi.unstubAllGlobals())

it('shows the not-found screen for an unknown address [404-01, 404-02, 404-03]', async () => {
  renderRoute('/nowhere/at/all')
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  expect(screen.getByText('404')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
})

it('offers Sign In and Join Now to a signed-out visitor, and no menu [GEN-31]', async () => {
  renderRoute('/nowhere')
  expect(await screen.findByRole('link', { name: 'Sign In' })).toHaveAttribute(
    'href',
    '/auth?tab=sign-in&next=%2Fnowhere',
  )
  expect(screen.getByRole('link', { name: 'Join Now' })).toHaveAttribute('href', '/auth?tab=sign-up&next=%2Fnowhere')
  expect(screen.queryByRole('button', { name: 'Account menu' })).not.toBeInTheDocument()
  // On a phone their bar is higher: focused elements need more clearance.
  expect(document.documentElement).toHaveAttribute('data-signed-out')
})

it.each([
  ['in the top bar', false, ['Explore']],
  ['at the foot of a phone', true, ['Home', 'Explore', 'Search']],
])('leads a visitor to Explore and to search, %s [LOOP-03]', async (_place, isPhone, names) => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('47.99em') && isPhone }))
  renderRoute('/nowhere')
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(bar.getAllByRole('link').map((link) => link.textContent || link.getAttribute('aria-label'))).toEqual(names)
  expect(bar.getByRole('link', { name: 'Explore' })).toHaveAttribute('href', '/explore')
  expect(screen.getByRole('combobox', { name: 'Search' })).toBeVisible()
})

it.each([
  ['/', '/auth'],
  ['/messages', '/auth'],
  ['/dashboard', '/auth'],
  ['/settings', '/auth'],
  ['/creator-verification', '/auth'],
  ['/subscription-success', '/auth'],
  ['/notifications', '/auth'],
  ['/referrals', '/auth'],
  ['/admin', '/auth'],
  ['/auth', '/auth'],
  ['/privacy-policy', '/privacy-policy'],
  ['/terms-of-service', '/terms-of-service'],
  ['/support', '/support'],
])('shows a visitor at %s the screen %s [GEN-37]', async (path, landing) => {
  const { router } = renderRoute(path)
  await waitFor(() => expect(router.state.location.pathname).toBe(landing))
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible()
  expect(router.state.location.pathname).toBe(landing)
})

it('leads home from the logo, and names the years and the terms in the footer [GEN-18, GEN-32, GEN-33, LOOP-26]', async () => {
  renderRoute('/nowhere')
  expect(await screen.findByRole('link', { name: 'Ovation' })).toHaveAttribute('href', '/')
  const footer = screen.getByRole('contentinfo')
  expect(within(footer).getByText(`© 2024–${new Date().getFullYear()} Ovation. All rights reserved.`)).toBeVisible()
  expect(within(footer).getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms-of-service')
  expect(within(footer).getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/support')
})

it('shows no footer under messages [LOOP-26]', async () => {
  signIn()
  network.use(http.get('*/rest/v1/rpc/get_conversations', () => HttpResponse.json([])))
  const { router } = renderRoute('/nowhere')
  expect(await screen.findByRole('contentinfo')).toBeVisible()
  await router.navigate('/messages')
  expect(await screen.findByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument()
})

it('searches for the trimmed text, and does nothing when there is none [GEN-19]', async () => {
  network.use(http.get('*/rest/v1/rpc/search_profiles', () => HttpResponse.json([])))
  const { router } = renderRoute('/nowhere')
  const box = await screen.findByPlaceholderText('Search...')
  await userEvent.type(box, '   {enter}')
  expect(router.state.location.pathname).toBe('/nowhere')
  await userEvent.clear(box)
  await userEvent.type(box, '  ada & co {enter}')
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe('/search?q=ada%20%26%20co'),
  )
})

it('keeps text that is typed while the results for the earlier text load [GEN-19]', async () => {
  network.use(http.get('*/rest/v1/rpc/search_profiles', () => HttpResponse.json([])))
  const { router } = renderRoute('/search?q=ad')
  const box = await screen.findByPlaceholderText('Search...')
  await userEvent.type(box, 'a{enter} lo')
  await waitFor(() => expect(router.state.location.search).toBe('?q=ada'))
  await act(() => router.navigate('/search?q=ada+l', { replace: true }))
  expect(box).toHaveValue('ada lo')
  // Once it has lost the focus, the box shows the query of the URL.
  await userEvent.tab()
  await act(() => router.navigate('/search?q=eve'))
  expect(box).toHaveValue('eve')
})

it.each([
  [0, 'Notifications'],
  [7, 'Notifications, 7 unread'],
  [99, 'Notifications, 99 unread'],
  [100, 'Notifications, 99+ unread'],
  [5000, 'Notifications, 99+ unread'],
])('names %i unread notifications on the bell as "%s" [GEN-20, GEN-21, GEN-23]', async (count, name) => {
  signIn()
  unread(count)
  renderRoute('/nowhere')
  const bell = await screen.findByRole('link', { name })
  expect(bell).toHaveAttribute('href', '/notifications')
  expect(bell.hasAttribute('data-unread')).toBe(count > 0)
  for (const [label, href] of [
    ['Home', '/'],
    ['Messages', '/messages'],
  ] as const)
    expect(screen.getByRole('link', { name: label })).toHaveAttribute('href', href)
})

it.each([
  ['in the top bar', false],
  ['at the foot of a phone', true],
])('renders its links once, %s [GEN-20]', async (_place, isPhone) => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('47.99em') && isPhone }))
  signIn()
  renderRoute('/nowhere')
  const bars = await screen.findAllByRole('navigation', { name: 'Main' })
  expect(bars.map((bar) => bar.closest('header') !== null)).toEqual([!isPhone])
})

it.each([
  ['an approved creator on a desktop', { is_creator: true, is_verified: true }, false],
  ['an approved creator on a phone', { is_creator: true, is_verified: true }, true],
  ['a creator who waits for approval', { is_creator: true }, true],
])('gives %s Create on every screen, which opens the composer [LOOP-07]', async (_who, profile, isPhone) => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('47.99em') && isPhone }))
  signIn(profile)
  renderRoute('/nowhere')
  const create = await screen.findByRole('button', { name: 'Create' })
  expect(create.closest('header') !== null).toBe(!isPhone)
  if (isPhone) {
    const bar = [...(create.parentElement?.children ?? [])]
    expect(bar.map((item) => item.getAttribute('aria-label'))).toEqual([
      'Home',
      'Explore',
      'Create',
      'Notifications',
      'Messages',
      'Account menu',
    ])
  }
  await userEvent.click(create)
  expect(await screen.findByRole('dialog', { name: 'Create Post' })).toBeVisible()
})

it('gives a fan no Create [LOOP-07]', async () => {
  signIn()
  const { queryClient } = renderRoute('/nowhere')
  await waitFor(() => expect(queryClient.getQueryData(viewerQuery(viewerProfile.user_id).queryKey)).toBeDefined())
  await act(() => vi.dynamicImportSettled()) // the button's code would load now
  expect(screen.getByRole('button', { name: 'Account menu' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Create' })).not.toBeInTheDocument()
})

it.each([
  ['user', []],
  ['admin', ['Admin Panel']],
])(
  'lists the account menu in order for the role %s, with the admin panel for admins only [GEN-26, GEN-28]',
  async (role, panel) => {
    signIn({ role })
    renderRoute('/nowhere')
    await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
    const menu = await screen.findByRole('menu')
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Profile',
      'Subscriptions',
      'Private sessions',
      'Library',
      'Saved posts',
      'Dashboard',
      'Creator Setup',
      'Settings',
      'Share Profile',
      'Referrals',
      ...panel,
      'Log out',
    ])
  },
)

it('has the account menu at the foot of a phone, and nowhere else there [GEN-26, GEN-28, LOOP-20]', async () => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('47.99em') }))
  signIn({ role: 'admin' })
  renderRoute('/nowhere')
  const bar = within(await screen.findByRole('navigation', { name: 'Main' }))
  await userEvent.click(await bar.findByRole('button', { name: 'Account menu' }))
  expect(await bar.findByRole('menuitem', { name: 'Profile' })).toHaveAttribute('href', '/profile')
  expect(bar.getByRole('menuitem', { name: 'Admin Panel' })).toHaveAttribute('href', '/admin/overview')
  expect(screen.getAllByRole('button', { name: 'Account menu' })).toHaveLength(1)
})

it.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['', 'ada'],
])('begins the account menu of "%s" with %s, then the email [GEN-25]', async (display_name, name) => {
  signIn({ display_name })
  renderRoute('/nowhere')
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  const menu = await screen.findByRole('menu')
  expect(menu.textContent).toMatch(new RegExp(`^${name}ada@example\\.com`))
})

it('highlights the bell and the messages icon by their own unread counts [GEN-24]', async () => {
  signIn()
  unread(0)
  network.use(http.get('*/rest/v1/rpc/count_unread_messages', () => HttpResponse.json(3)))
  renderRoute('/nowhere')
  expect(await screen.findByRole('link', { name: 'Messages, 3 unread' })).toHaveAttribute('data-unread')
  expect(screen.getByRole('link', { name: 'Notifications' })).not.toHaveAttribute('data-unread')
})

it('opens the avatar menu that was clicked before its code loaded, and returns the focus [GEN-25]', async () => {
  signIn()
  const user = userEvent.setup()
  renderRoute('/nowhere')
  await user.click(await screen.findByRole('button', { name: 'Account menu' }))
  await waitFor(() => expect(screen.getByRole('menu')).toContainElement(document.activeElement as HTMLElement))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Account menu' })).toHaveFocus())
})

it('keeps the focus on the avatar when its menu loads by itself', async () => {
  signIn()
  renderRoute('/nowhere')
  const standIn = await screen.findByRole('button', { name: 'Account menu' })
  standIn.focus()
  await waitFor(() => expect(standIn).not.toBeInTheDocument())
  await waitFor(() => expect(screen.getByRole('button', { name: 'Account menu' })).toHaveFocus())
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
})

it("links to Creator Setup, and shares a link to the viewer's profile [GEN-27, GEN-30]", async () => {
  signIn()
  const user = userEvent.setup()
  renderRoute('/nowhere')
  await user.click(await screen.findByRole('button', { name: 'Account menu' }))
  expect(await screen.findByRole('menuitem', { name: 'Creator Setup' })).toHaveAttribute('href', '/creator-onboarding')
  await user.click(screen.getByRole('menuitem', { name: 'Share Profile' }))
  expect(await screen.findByText('Link copied')).toBeInTheDocument()
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/profile/ada`)
})

it('groups the account menu, with plans for creators [GEN-26, LOOP-20]', async () => {
  signIn({ is_creator: true })
  renderRoute('/nowhere')
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  const menu = await screen.findByRole('menu')
  const groups = [...menu.querySelectorAll('[role="menuitem"], .mantine-Menu-divider, .mantine-Menu-label')].map(
    (item) => item.textContent || '-',
  )
  expect(groups).toEqual([
    '-',
    'Profile',
    'Subscriptions',
    'Private sessions',
    'Library',
    'Saved posts',
    '-',
    'For creators',
    'Dashboard',
    'Creator Setup',
    'Subscription plans',
    '-',
    'Settings',
    'Share Profile',
    'Referrals',
    'Log out',
    '-',
  ])
  expect(screen.getByRole('menuitem', { name: 'Private sessions' })).toHaveAttribute('href', '/private-sessions')
  expect(screen.getByRole('menuitem', { name: 'Subscription plans' })).toHaveAttribute('href', '/subscription-products')
})

it('shows an admin the admin panel [GEN-28]', async () => {
  signIn({ role: 'admin' })
  renderRoute('/nowhere')
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  expect(await screen.findByRole('menuitem', { name: 'Admin Panel' })).toHaveAttribute('href', '/admin/overview')
})

it('logs out, deletes local data, then opens the sign-in screen [GEN-29, AUTH-24]', async () => {
  signIn()
  sessionStorage.setItem('ovation-draft:support', '{"message":"I was ch"}')
  localStorage.setItem('ovation:video:posts/u/1.mp4', '60.0')
  network.use(http.post('*/auth/v1/logout', () => new HttpResponse(null, { status: 204 })))
  const { router } = renderRoute('/nowhere')
  await userEvent.click(await screen.findByRole('button', { name: 'Account menu' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(await screen.findByRole('link', { name: 'Join Now' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []])
})

it('starts with a skip link, sets the tab’s title, and moves the focus to the next screen', async () => {
  network.use(http.get('*/rest/v1/rpc/*', () => HttpResponse.json([])))
  const { router } = renderRoute('/nowhere')
  await waitFor(() => expect(document.title).toBe('Oops! Page not found · Ovation'))
  await userEvent.tab()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  expect(screen.getByRole('main')).toHaveAttribute('id', 'main')
  await router.navigate('/support')
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  expect(document.title).not.toContain('not found')
})

it('keeps the shell when a screen fails, and says what to do next', async () => {
  // A response that no screen can render.
  network.use(http.get('*/rest/v1/rpc/search_profiles', () => HttpResponse.json([{ id: 'x', bio: {} }])))
  const { router } = renderRoute('/search?q=ada')
  expect(await screen.findByRole('heading', { level: 1, name: 'Something went wrong' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  expect(screen.getByRole('banner')).toBeVisible()
  vi.mocked(console.error).mockClear() // React reports it to the browser, and our error boundary logs it
  await router.navigate('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
})
