import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { plan } from '../../testing/composer.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn } from '../../testing/sign-in.ts'

const withTrial = { ...plan, trial_days: 7 }
const yearly = { ...plan, id: 'plan-2', name: 'Yearly', price_cents: 9900, interval: 'year' }
const subscription = {
  id: 'subscription-1',
  status: 'active',
  current_period_end: '2100-03-04T12:00:00Z',
  trial_end: null,
  cancel_at_period_end: false,
  access_until: 'infinity',
  price_cents: 999,
  interval_count: 1,
  moves: [],
  plan: { name: 'Print Club', interval: 'month' },
}

function open(rows: { plans?: object[]; subscriptions?: object[] } = {}, path = '/profile/noor') {
  signIn()
  serveProfile()
  const { plans = [plan], subscriptions = [] } = rows
  network.use(
    answer('subscription_products', plans as Record<string, unknown>[]),
    answer('subscriptions', subscriptions as Record<string, unknown>[]),
  )
  return renderRoute(path)
}
const head = () => screen.findByRole('region', { name: 'Subscription' })

it.each([
  ['one plan', [plan], 'Subscribe for $9.99 / month'],
  ['several plans', [plan, yearly], 'Subscribe from $9.99 / month'],
  ['a trial', [withTrial], 'Start 7 days free'],
])('makes Subscribe primary and Follow secondary with %s [LOOP-05]', async (_what, plans, name) => {
  open({ plans })
  const link = within(await head()).getByRole('link', { name })
  expect(link).toHaveAttribute('href', '/profile/noor?tab=subscribe')
  expect(link).not.toHaveAttribute('data-variant', 'default')
  expect(await screen.findByRole('button', { name: 'Follow Noor Haddad' })).toHaveAttribute('data-variant', 'default')
})

it('says what the trial costs afterward, and promises none to a former subscriber [LOOP-05]', async () => {
  open({ plans: [withTrial] })
  expect(await head()).toHaveTextContent('7 days free, then $9.99 / month. Cancel anytime.')
  cleanup()
  open({
    plans: [withTrial],
    subscriptions: [{ ...subscription, status: 'canceled', access_until: '2020-01-01T00:00:00Z' }],
  })
  expect(within(await head()).getByRole('link', { name: 'Subscribe for $9.99 / month' })).toBeVisible()
  expect(screen.queryByText(/free/)).not.toBeInTheDocument()
})

it('gives the free days of a link that the viewer has opened, if they are more than the plan’s [LINK-03]', async () => {
  for (const [days, name] of [
    [30, 'Start 30 days free'],
    [3, 'Start 7 days free'],
  ] as const) {
    network.use(answer('rpc/get_trial_offers', [{ plan_id: plan.id, trial_days: days, trial_until: '2100-01-01' }]))
    open({ plans: [withTrial] })
    expect(await within(await head()).findByRole('link', { name })).toBeVisible()
    cleanup()
  }
})

it('sells at the price of an offer, with the full price struck through and its end [OFFER-04]', async () => {
  network.use(
    answer('rpc/get_offers', [
      {
        plan_id: plan.id,
        interval_count: 1,
        percent_off: 40,
        periods: 1,
        price_cents: 999,
        offer_cents: 599,
        ends_at: null,
        places_left: 7,
      },
    ]),
  )
  open({ plans: [withTrial] })
  expect(await within(await head()).findByRole('link', { name: 'Subscribe for $5.99 / month' })).toBeVisible()
  expect((await head()).querySelector('s')).toHaveTextContent('$9.99')
  expect(await head()).toHaveTextContent('40% off for your first month, then $9.99 / month')
  expect(await head()).toHaveTextContent('7 left · Cancel anytime.')
})

it('sells to visitors, and leaves Follow primary where nothing is for sale [LOOP-05]', async () => {
  serveProfile()
  network.use(answer('subscription_products', [plan]))
  const { router } = renderRoute('/profile/noor')
  expect(within(await head()).getByRole('link', { name: 'Subscribe for $9.99 / month' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/profile/noor')
  cleanup()
  open({ plans: [] })
  await waitFor(async () =>
    expect(await screen.findByRole('button', { name: 'Follow Noor Haddad' })).toHaveAttribute('data-variant', 'filled'),
  )
  expect(screen.queryByRole('region', { name: 'Subscription' })).not.toBeInTheDocument()
})

it.each([
  ['the renewal', subscription, ['Subscribed', '$9.99 / month', 'Renews on Mar 4, 2100']],
  [
    'the end of the trial',
    { ...subscription, status: 'trial', trial_end: '2100-03-04T12:00:00Z' },
    ['Free trial', 'Trial until Mar 4, 2100, then $9.99 / month'],
  ],
  [
    'the end of access',
    { ...subscription, cancel_at_period_end: true, access_until: '2100-03-04T12:00:00Z' },
    ['Canceled', '$9.99 / month', 'Access until Mar 4, 2100'],
  ],
])('shows subscribers their plan and %s instead [LOOP-05]', async (_what, mine, texts) => {
  open({ plans: [withTrial], subscriptions: [mine] })
  const own = await screen.findByRole('region', { name: 'Your plan' })
  for (const text of ['Print Club', ...texts]) expect(own).toHaveTextContent(text)
  expect(screen.queryByRole('link', { name: /^(Subscribe|Start)/ })).not.toBeInTheDocument()
})

it('keeps Subscribe in a bar at the bottom of a phone, and only there [LOOP-05]', async () => {
  const desktop = window.matchMedia
  vi.stubGlobal('matchMedia', (query: string) => ({ ...desktop(query), matches: query.includes('47.99em') }))
  open()
  const link = await screen.findByRole('link', { name: 'Subscribe for $9.99 / month' })
  expect((await head()).contains(link)).toBe(false)
  await userEvent.click(link)
  expect(await screen.findByRole('heading', { name: 'Monthly' })).toBeVisible()
  // The plans have their own buttons.
  expect(screen.queryByRole('link', { name: /^Subscribe/ })).not.toBeInTheDocument()
})

it('scrolls to the plans from a link to them, and stays in place when their tab is pressed [LOOP-05]', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  open({}, '/profile/noor?tab=subscribe')
  expect(await screen.findByRole('heading', { name: 'Monthly' })).toBeVisible()
  const tabs = screen.getByRole('tablist').parentElement
  expect(scroll.mock.contexts).toContain(tabs)
  await userEvent.click(screen.getByRole('tab', { name: 'Posts' }))
  scroll.mockClear()
  await userEvent.click(screen.getByRole('tab', { name: 'Subscribe' }))
  expect(await screen.findByRole('heading', { name: 'Monthly' })).toBeVisible()
  expect(scroll.mock.contexts).not.toContain(tabs)
})

it('promises nothing when the plans or the subscription fail to load [LOOP-05]', async () => {
  open()
  network.use(fail('subscriptions'))
  expect(await screen.findByRole('button', { name: 'Follow Noor Haddad' })).toBeVisible()
  await waitFor(() => expect(document.querySelector('.mantine-Skeleton-root')).toBeNull())
  expect(screen.queryByRole('link', { name: /^Subscribe/ })).not.toBeInTheDocument()
})
