import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

beforeEach(() => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('75em') }))
})
afterEach(() => void vi.unstubAllGlobals())

/** The place of the right rail, which is reserved before the rail loads. */
const rightPlace = () => screen.getByRole('main').nextElementSibling as HTMLElement | null

const person = (name: string) => ({
  id: `profile-${name}`,
  user_id: `user-${name}`,
  username: name.toLowerCase(),
  display_name: name,
  avatar_url: null,
  is_verified: true,
  updated_at: '2026-01-02T10:00:00Z',
})

it('shows every link with its label and Create at the left, and subscriptions and suggestions at the right [LOOP-19]', async () => {
  signIn()
  network.use(
    answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]),
    answer('notifications', []),
    answer('subscriptions', [
      {
        id: 'subscription-1',
        status: 'active',
        current_period_end: null,
        trial_end: null,
        cancel_at_period_end: false,
        access_until: 'infinity',
        creator: person('Noor'),
        plan: { name: 'Backstage', price_cents: 999, interval: 'month' },
      },
      {
        id: 'subscription-2',
        status: 'canceled',
        current_period_end: null,
        trial_end: null,
        cancel_at_period_end: false,
        access_until: '2020-01-01T00:00:00Z',
        creator: person('Former'),
        plan: null,
      },
    ]),
    answer('rpc/get_own_confirmations', []),
    answer('rpc/suggest_creators', [person('Ada')]),
  )
  renderRoute('/notifications')
  const rail = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(await rail.findByRole('button', { name: 'Create' })).toBeVisible()
  expect(rail.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Home',
    'Explore',
    'Notifications',
    'Messages',
    'Subscriptions',
    'Library',
    'Saved posts',
    'Dashboard',
    'Profile',
  ])
  expect(screen.getAllByRole('navigation', { name: 'Main' })).toHaveLength(1) // not in the top bar as well
  const related = within(await screen.findByRole('complementary', { name: 'Related' }))
  expect(await related.findByRole('link', { name: /Noor/ }, { timeout: 5_000 })).toHaveAttribute(
    'href',
    '/profile/noor',
  )
  expect(await related.findByRole('link', { name: /Ada/ })).toHaveAttribute('href', '/profile/ada')
  expect(related.queryByText('Former')).not.toBeInTheDocument()
  expect(rightPlace()).toContainElement(screen.getByRole('complementary', { name: 'Related' }))
})

it('leads admins from the rail to the overview of the admin panel [LOOP-19, GEN-28]', async () => {
  signIn({ role: 'admin' })
  renderRoute('/nowhere')
  const rail = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(await rail.findByRole('link', { name: 'Admin Panel' })).toHaveAttribute('href', '/admin/overview')
})

it('shows admins how much waits for them, in the rail and in the menu [LOOP-24, GEN-28]', async () => {
  signIn({ role: 'admin' })
  network.use(
    http.post('*/rest/v1/rpc/get_admin_queues', () =>
      HttpResponse.json({ pending_applications: 2, open_reports: 1, open_support_requests: 4 }),
    ),
  )
  renderRoute('/nowhere')
  const rail = within(await screen.findByRole('navigation', { name: 'Main' }))
  expect(await rail.findByRole('link', { name: 'Admin Panel, 7 waiting' })).toHaveTextContent('7')
  await userEvent.click(screen.getByRole('button', { name: 'Account menu' }))
  expect(await screen.findByRole('menuitem', { name: 'Admin Panel, 7 waiting' })).toHaveTextContent('Admin Panel7')
})

it.each(['/terms-of-service', '/nowhere'])(
  'leaves %s its width without a rail at the right [LOOP-19]',
  async (path) => {
    signIn()
    renderRoute(path)
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(rightPlace()).toBeNull()
  },
)

it('gives a rail at the right without subscriptions and suggestions back to the screen [LOOP-19]', async () => {
  signIn()
  renderRoute('/notifications')
  expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible()
  await waitFor(() => expect(rightPlace()?.querySelector('aside')).not.toBeVisible())
  expect(screen.queryByRole('complementary', { name: 'Related' })).not.toBeInTheDocument()
})

it.each([
  ['a fan', { is_verified: false, website_url: null }, true],
  ['a fan with a website', { is_verified: false }, false],
  ['a creator', { website_url: null }, false],
])(
  'keeps a place at the right of the profile of %s only with something to show [LOOP-19]',
  async (_who, over, none) => {
    signIn()
    serveProfile(over)
    renderRoute('/profile/noor')
    const head = (await screen.findByRole('heading', { level: 1, name: /Noor Haddad/ })).closest('header')
    expect(head?.hasAttribute('data-no-rail')).toBe(none) // for right-rail.module.css
  },
)
