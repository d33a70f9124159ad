import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn } from '../../testing/sign-in.ts'
import type { PremiumPost, Status } from './queries.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 30_000).toISOString()
const status = (over: Partial<Status> = {}): Status => ({
  status: 'active',
  has_access: true,
  access_until: inHours(20 * 24 + 3),
  current_period_end: inHours(20 * 24 + 3),
  ...over,
})
const post = (over: Partial<PremiumPost> = {}): PremiumPost => ({
  id: 'd0000000-0000-4000-8000-000000000001',
  title: 'The long way home',
  content: 'Words for subscribers',
  media_urls: [],
  media_types: [],
  media_previews: [],
  is_locked: false,
  created_at: '2024-05-04T10:00:00Z',
  ...over,
})

function serve({
  state,
  posts = [post()],
  admin = false,
}: {
  state: Status | null
  posts?: PremiumPost[]
  admin?: boolean
}) {
  const me = signIn(admin ? { role: 'admin' } : {})
  const asked: string[] = []
  network.use(
    http.get('*/rest/v1/profiles', ({ request }) => {
      const { searchParams } = new URL(request.url)
      if (searchParams.get('user_id')) return HttpResponse.json(me)
      asked.push(`${searchParams.get('id') ?? ''}${searchParams.get('order') ?? ''}`)
      return HttpResponse.json([noor])
    }),
    answer('rpc/get_subscription_status', state ? [state] : []),
    answer('posts', posts),
  )
  return asked
}
const address = `/protected-content?creator_id=${noor.id}`

it('asks a visitor to sign in, and leads back here [PREM-04, GEN-40]', async () => {
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: 'Sign In Required' })).toBeVisible()
  const link = screen.getAllByRole('link', { name: 'Sign In' }).at(-1)
  expect(link).toHaveAttribute('href', `/auth?next=${encodeURIComponent(address)}`)
})

it('shows the creator of the address, and without one the first there is [PREM-01, PREM-02, D20]', async () => {
  const asked = serve({ state: status() })
  const { router } = renderRoute(address)
  expect(await screen.findByRole('heading', { level: 1, name: /Noor Haddad/ })).toBeVisible()
  await router.navigate('/protected-content')
  await waitFor(() => expect(asked).toEqual([`eq.${noor.id}`, 'created_at.asc']))
})

it('lets an active subscriber in, and counts down [SUB-14, SUB-20, PREM-03, PREM-05]', async () => {
  serve({ state: status() })
  renderRoute(address)
  expect(await screen.findByText('Words for subscribers')).toBeVisible()
  expect(screen.getByText('20 days 3 hours left')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Manage subscription' })).not.toBeInTheDocument()
  for (const name of ['Videos', 'Photo gallery', 'Articles', 'Downloads'])
    expect(screen.getByRole('tab', { name })).toBeVisible()
})

it.each([
  [
    'trial',
    'Your free trial ends soon',
    "Your free trial ends in 2 hours 5 minutes. After that, we'll charge you for the plan.",
  ],
  ['canceled', 'Your access ends soon', 'Your access ends in 2 hours 5 minutes. Resume your subscription to keep it.'],
  [
    'past_due',
    'Your access ends soon',
    'Your last payment failed. Update your card within 2 hours 5 minutes to keep access.',
  ],
  [
    'active',
    'Your subscription renews soon',
    'Your current period ends in 2 hours 5 minutes. It renews automatically.',
  ],
])('lets %s in with a warning near the end [SUB-14, SUB-15, SUB-16, SUB-17]', async (state, title, words) => {
  serve({ state: status({ status: state, access_until: inHours(2 + 5 / 60) }) })
  renderRoute(address)
  expect(await screen.findByText('Words for subscribers')).toBeVisible()
  expect(screen.getByText(title)).toBeVisible()
  expect(screen.getByText(words, { exact: false })).toBeVisible()
})

it.each([
  [7 * 24 - 1, 1],
  [7 * 24 + 1, 0],
])('with %i hours left, shows %i warnings [SUB-19]', async (hours, warnings) => {
  serve({ state: status({ access_until: inHours(hours) }) })
  renderRoute(address)
  expect(await screen.findByText('Words for subscribers')).toBeVisible()
  expect(screen.queryAllByText('Your subscription renews soon')).toHaveLength(warnings)
})

it.each([
  ['canceled', 'Subscription Expired', /has ended/, 'See plans', inHours(-5)],
  // The card is changed there; a second subscription beside it is refused.
  ['past_due', 'Subscription Required', /Your last payment failed/, 'Manage subscription', inHours(-5)],
  ['unpaid', 'Subscription Required', /Your last payment failed/, 'Manage subscription', inHours(-5)],
  // Without a date, it is a trial that ended without a card.
  ['paused', 'Subscription Required', /is paused\. Add a card/, 'Manage subscription', null],
  ['paused', 'Subscription Required', /^You've paused your subscription/, 'Manage subscription', inHours(-5)],
  ['trial', 'Subscription Required', /^Subscribe to see/, 'See plans', inHours(-5)],
])(
  'closes to %s without access: "%s" [SUB-15, SUB-16, SUB-17, SUB-18]',
  async (state, title, why, way, access_until) => {
    serve({ state: status({ status: state, has_access: false, access_until }) })
    renderRoute(address)
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(screen.getByText(why)).toBeVisible()
    const href = way === 'See plans' ? '/profile/noor?tab=subscribe' : '/dashboard/subscriptions'
    expect(screen.getByRole('link', { name: way })).toHaveAttribute('href', href)
    expect(screen.queryByText('Words for subscribers')).not.toBeInTheDocument()
  },
)

it('asks a user who never subscribed to do so, and unlocks when the status is refreshed [SUB-18, SUB-22, PREM-01]', async () => {
  serve({ state: null })
  renderRoute(address)
  expect(await screen.findByRole('heading', { name: 'Subscription Required' })).toBeVisible()
  network.use(answer('rpc/get_subscription_status', [status()]))
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText('Status refreshed!')).toBeVisible()
  expect(await screen.findByText('Words for subscribers')).toBeVisible()
})

it('offers a retry when the status cannot be read [SUB-21]', async () => {
  serve({ state: status() })
  network.use(fail('rpc/get_subscription_status'))
  renderRoute(address)
  expect(await screen.findByText('Failed to check subscription status')).toBeVisible()
  network.use(answer('rpc/get_subscription_status', [status()]))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Words for subscribers')).toBeVisible()
})

it.each([
  ['Creator not found', '/protected-content?creator_id=nobody', answer('rpc/get_subscription_status', [])],
  ['Failed to check subscription status', address, fail('rpc/get_subscription_status')],
])('says "%s" [SUB-06]', async (words, path, subscription) => {
  serve({ state: status() })
  network.use(subscription)
  renderRoute(path)
  expect(await screen.findByText(words)).toBeVisible()
})

it('says that there is no such creator', async () => {
  serve({ state: null })
  renderRoute('/protected-content?creator_id=nobody')
  expect(await screen.findByRole('heading', { name: 'Creator not found' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Explore all creators' })).toHaveAttribute('href', '/explore')
})

it('sorts the content by kind, and says what a higher plan holds [PREM-03, POST-43]', async () => {
  serve({
    state: status(),
    posts: [
      post({ content: '', media_urls: ['u/one.jpg', 'u/two.mp4'], media_types: ['image', 'video'] }),
      post({ id: 'd0000000-0000-4000-8000-000000000002', content: 'A beginning', is_locked: true }),
    ],
  })
  signFiles()
  renderRoute(address)
  expect(await screen.findByText('One more post is available on a higher plan.')).toBeVisible()
  expect(await screen.findByLabelText('Video by Noor Haddad')).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'Photo gallery' }))
  expect(await screen.findByRole('img', { name: 'Photo by Noor Haddad' })).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'Articles' }))
  expect(await screen.findByText('No articles yet')).toBeVisible()
  await userEvent.click(screen.getByRole('tab', { name: 'Downloads' }))
  expect(await screen.findByRole('button', { name: 'Download The long way home · Video 2' })).toBeVisible()
})
