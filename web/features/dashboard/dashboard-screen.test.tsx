import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { keepDownloads } from '../../testing/downloads.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const fan = {
  user_id: 'user-grace',
  username: 'grace',
  display_name: 'Grace Hopper',
  avatar_url: null,
  updated_at: '2024-05-01T10:00:00Z',
}
const stats = {
  total_earnings: 8.99,
  monthly_earnings: 8.99,
  total_subscribers: 1,
  new_subscribers_this_week: 1,
  total_likes: 0,
  total_messages: 0,
  profile_views: 0,
}
const growth = {
  this_month: 8.99,
  last_month: 4,
  earnings_growth: 124.8,
  new_subscribers: 1,
  previous_subscribers: 0,
  subscriber_growth: null,
  views: 1_312,
  previous_views: 1_000,
  view_growth: 31.2,
}
const quietDay = { subscriptions: 0, tips: 0, paid_messages: 0, ppv: 0, private_sessions: 0, referrals: 0, total: 0 }
const shares = ['subscription', 'tip', 'paid_message', 'ppv', 'private_session', 'referral'].map((source) => ({
  source,
  gross_amount: source === 'tip' ? 5 : 0,
  net_amount: source === 'tip' ? 4.5 : 0,
  payments: source === 'tip' ? 1 : 0,
  share: source === 'tip' ? 100 : 0,
}))
const totals = { payments: 1_200, gross: 5_000.1, fee: 500.01, net: 4_500.09 }
const line = {
  subscription_id: 'subscription-1',
  status: 'active',
  created_at: '2024-05-01T10:00:00Z',
  current_period_end: '2024-06-01T10:00:00Z',
  cancel_at_period_end: false,
  plan_name: 'Backstage',
  profile_id: 'grace',
  ...fan,
  spent: 24.5,
}
const subscription = {
  id: 'subscription-1',
  status: 'active',
  created_at: '2024-05-01T10:00:00Z',
  current_period_end: '2024-06-01T10:00:00Z',
  cancel_at_period_end: false,
  subscriber: fan,
  tier: { name: 'Backstage' },
}
const payment = {
  id: 'payment-1',
  transaction_type: 'subscription',
  status: 'completed',
  amount: 9.99,
  fee_amount: 1,
  net_amount: 8.99,
  created_at: '2024-05-01T10:00:00Z',
  from: fan,
}
const post = {
  id: 'post-1',
  title: 'Rehearsal',
  content: 'From the wings',
  post_type: 'subscription',
  media_count: 2,
  media_urls: ['u/1.jpg', 'u/2.mp4'],
  media_types: ['image', 'video'],
  media_previews: [{}, { captions: ['en', 'de'] }],
  likes_count: 0,
  comments_count: 1,
  is_pinned: false,
  created_at: '2024-05-01T10:00:00Z',
}
const notification = {
  id: 'n-1',
  title: 'New subscriber',
  message: 'Grace Hopper subscribed to Backstage.',
  created_at: '2024-05-01T10:00:00Z',
}

/** An approved creator with one subscriber; `over` says what differs. */
function creator(over: Record<string, Parameters<typeof answer>[1]> = {}) {
  const viewer = signIn({ is_creator: true, is_verified: true })
  const tables = {
    subscriptions: [subscription],
    transactions: [],
    posts: [post],
    notifications: [notification],
    scheduled_posts: [],
    ...over,
  }
  network.use(
    ...Object.entries(tables).map(([table, rows]) => answer(table, rows)),
    http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json(stats)),
    http.post('*/rest/v1/rpc/get_creator_growth', () => HttpResponse.json(growth)),
    answer('rpc/get_post_figures', [{ id: 'post-1', views: 31, purchases: 0, earnings: 4.5 }]),
    answer('rpc/get_subscribers', []),
    http.post('*/rest/v1/rpc/get_earnings_totals', () => HttpResponse.json(totals)),
    answer('rpc/get_earnings_series', [{ ...quietDay, day: '2024-05-01', tips: 4.5, total: 4.5 }]),
    answer('rpc/get_revenue_split', shares),
    http.post('*/rest/v1/rpc/get_creator_balance', () =>
      HttpResponse.json({ earned: 108.99, balance: 8.99, paid_out: 100 }),
    ),
    http.post('*/functions/v1/get-payout-balance', () =>
      HttpResponse.json({ balance: { availableCents: 700, pendingCents: 199 } }),
    ),
  )
  return viewer
}

const stat = async (name: string) => (await screen.findByText(name)).nextElementSibling

describe('gates', () => {
  it('offers an ordinary person to become a creator [DASH-07]', async () => {
    signIn()
    renderRoute('/dashboard')
    expect(await screen.findByRole('heading', { name: 'Become a Creator' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Apply' })).toHaveAttribute('href', '/creator-verification')
    expect(screen.queryByRole('tab')).not.toBeInTheDocument()
  })

  it('asks a creator who is not approved for verification [DASH-08, D25]', async () => {
    signIn({ is_creator: true })
    renderRoute('/dashboard')
    expect(await screen.findByRole('heading', { name: 'Verification Required' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Verify Your Identity' })).toHaveAttribute('href', '/creator-verification')
  })

  it('opens by itself when the application is approved', async () => {
    const viewer = creator()
    network.use(answer('profiles', [{ ...viewerProfile, is_creator: true }]))
    renderRoute('/dashboard')
    await screen.findByRole('heading', { name: 'Verification Required' })
    await waitFor(() => expect(listensTo('notifications')).toHaveLength(1))
    network.use(answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true }]))
    pushInsert('notifications', { user_id: viewer.id, type: 'verification' })
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeVisible()
  })

  it('counts an admin as approved [DASH-09]', async () => {
    creator()
    network.use(answer('profiles', [{ ...viewerProfile, role: 'admin' }]))
    renderRoute('/dashboard')
    expect(await screen.findByRole('tab', { name: 'Overview' })).toBeVisible()
  })

  it('sends a signed-out visitor to sign in and back [DASH-02, D35]', async () => {
    const { router } = renderRoute('/dashboard')
    await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fdashboard'))
  })

  it('tells a person without a profile, and tries again [ERR-01]', async () => {
    signIn()
    network.use(answer('profiles', []))
    renderRoute('/dashboard')
    expect(await screen.findByText('Could not find your profile')).toBeVisible()
    network.use(answer('profiles', [viewerProfile]))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Become a Creator' })).toBeVisible()
  })
})

describe('the overview', () => {
  it('shows the recorded numbers and the latest of everything [DASH-01, DASH-10, DASH-11, DASH-14, RPC-02]', async () => {
    creator()
    renderRoute('/dashboard')
    expect(await stat('Total earnings')).toHaveTextContent('$8.99')
    expect(await stat('New this week')).toHaveTextContent('1')
    const subscribers = within(await screen.findByRole('region', { name: 'Recent Subscribers' }))
    expect(await subscribers.findByRole('link', { name: 'Grace Hopper' })).toHaveAttribute('href', '/profile/grace')
    expect(subscribers.getByText('Subscribed to Backstage')).toBeVisible()
    const activity = within(screen.getByRole('region', { name: 'Activity' }))
    expect(await activity.findByText('New subscriber')).toBeVisible()
    const posts = within(screen.getByRole('region', { name: 'Recent Posts' }))
    expect(await posts.findByRole('link', { name: 'Rehearsal' })).toHaveAttribute('href', '/post/post-1')
    expect(await posts.findByText('2 files · 31 views · 0 likes · 1 comment · $4.50 earned')).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Recent Tips' })).not.toBeInTheDocument()
  })

  it('asks for 5 active subscribers, 3 completed tips, 5 activities and 10 posts [DASH-10, API-REST-21, API-REST-24, API-REST-28]', async () => {
    creator()
    const asked: Record<string, URLSearchParams> = {}
    network.events.on('request:start', ({ request }) => {
      const url = new URL(request.url)
      const table = url.pathname.split('/rest/v1/')[1]
      if (table && request.method === 'GET' && url.searchParams.has('limit')) asked[table] = url.searchParams
    })
    renderRoute('/dashboard')
    await waitFor(() =>
      expect(Object.keys(asked).sort()).toEqual(['notifications', 'posts', 'subscriptions', 'transactions']),
    )
    network.events.removeAllListeners()
    expect(asked.subscriptions?.get('limit')).toBe('5')
    expect(asked.subscriptions?.get('status')).toBe('eq.active')
    expect(asked.transactions?.get('limit')).toBe('3')
    expect(asked.transactions?.get('transaction_type')).toBe('eq.tip')
    expect(asked.transactions?.get('status')).toBe('eq.completed')
    expect(asked.notifications?.get('limit')).toBe('5')
    expect(asked.posts?.get('limit')).toBe('10')
  })

  it('shows tips where there are some [DASH-10]', async () => {
    creator({ transactions: [{ ...payment, transaction_type: 'tip', amount: 25 }] })
    renderRoute('/dashboard')
    const tips = within(await screen.findByRole('region', { name: 'Recent Tips' }))
    expect(tips.getByText('$25.00')).toBeVisible()
  })

  it('says what is not there yet', async () => {
    creator({ subscriptions: [], posts: [], notifications: [] })
    renderRoute('/dashboard')
    expect(await screen.findByText('No subscribers yet')).toBeVisible()
    expect(await screen.findByText('No posts yet')).toBeVisible()
    expect(await screen.findByText('Nothing has happened yet')).toBeVisible()
  })

  it('stands when a part of it fails, and tries that part again [DASH-17]', async () => {
    creator()
    network.use(fail('subscriptions'), fail('rpc/get_creator_stats'))
    renderRoute('/dashboard')
    expect(await screen.findByText('Your subscribers could not be loaded')).toBeVisible()
    expect(await screen.findByText('Your numbers could not be loaded')).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Rehearsal' })).toBeVisible()
    network.use(answer('subscriptions', [subscription]))
    await userEvent.click(
      within(screen.getByRole('region', { name: 'Recent Subscribers' })).getByRole('button', { name: 'Retry' }),
    )
    expect(await screen.findByRole('link', { name: 'Grace Hopper' })).toBeVisible()
  })

  it.each(['notifications', 'subscriptions', 'profiles', 'messages'])(
    'follows %s as they happen [D21, API-RT-01]',
    async (table) => {
      const viewer = creator({ subscriptions: [] })
      network.use(
        http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json({ ...stats, total_earnings: 0 })),
      )
      renderRoute('/dashboard')
      expect(await stat('Total earnings')).toHaveTextContent('$0.00')
      await waitFor(() => {
        expect(listensTo('notifications')).toHaveLength(1)
        expect(listensTo('subscriptions')).toEqual([`creator_id=eq.${viewer.id}`])
        expect(listensTo('profiles')).toEqual([`id=eq.${viewer.id}`])
        expect(listensTo('messages')).toEqual([`recipient_id=eq.${viewer.id}`])
      })
      network.use(
        http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json(stats)),
        answer('subscriptions', [subscription]),
      )
      pushInsert(table, {})
      await waitFor(async () => expect(await stat('Total earnings')).toHaveTextContent('$8.99'))
      expect(await screen.findByRole('link', { name: 'Grace Hopper' })).toBeVisible()
    },
  )
})

describe('the header', () => {
  it('leads to sessions, creator setup, settings and products, and copies the referral link [DASH-04, DASH-05, DASH-06, D30]', async () => {
    const viewer = creator()
    const copied = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: copied } }))
    renderRoute('/dashboard')
    expect(await screen.findByRole('button', { name: 'Copy Referral Link' })).toBeVisible()
    for (const [name, path] of [
      ['Private Sessions', '/private-sessions'],
      ['Creator Setup', '/creator-onboarding'],
      ['Settings', '/settings'],
      ['Subscription Products', '/subscription-products'],
    ] as const)
      expect(within(screen.getByRole('main')).getByRole('link', { name })).toHaveAttribute('href', path)
    screen.getByRole('button', { name: 'Copy Referral Link' }).click()
    const code = `REF${viewer.id.slice(0, 8).toUpperCase()}`
    await waitFor(() => expect(copied).toHaveBeenCalledWith(`${window.location.origin}/auth?ref=${code}`))
    vi.unstubAllGlobals()
  })
})

describe('the other tabs', () => {
  it('list all subscribers with plan, status and period [DASH-03, DASH-11]', async () => {
    creator({
      'rpc/get_subscribers': [
        line,
        { ...line, subscription_id: 'subscription-2', cancel_at_period_end: true, plan_name: 'Front row' },
        { ...line, subscription_id: 'subscription-3', status: 'canceled' },
      ],
    })
    renderRoute('/dashboard?tab=subscribers')
    const table = await screen.findByRole('table', { name: 'Subscribers' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/Grace Hopper.*Backstage.*Active.*May 1, 2024.*Renews Jun 1, 2024.*\$24\.50/)
    expect(rows[1]).toMatch(/Front row.*Ends Jun 1, 2024/)
    expect(rows[2]).toMatch(/Canceled.*Ended Jun 1, 2024/)
  })

  it('show what was paid, the fee, and what is left, to the cent [DASH-03, GEN-06]', async () => {
    creator({
      transactions: [
        payment,
        { ...payment, id: 'payment-2', amount: 0.1, fee_amount: 0.01, net_amount: 0.09, from: null },
      ],
    })
    renderRoute('/dashboard?tab=earnings')
    const table = await screen.findByRole('table', { name: 'Payments' })
    const cells = within(table)
      .getAllByRole('row')
      .map((row) => [...row.querySelectorAll('[data-number]')].map((cell) => cell.textContent))
    expect(cells).toEqual([
      ['Paid', 'Fee', 'You earn'],
      ['$5,000.10', '-$500.01', '$4,500.09'], // of everything, whatever has been loaded
      ['$9.99', '-$1.00', '$8.99'],
      ['$0.10', '-$0.01', '$0.09'],
    ])
    expect(within(table).getByText('Former member')).toBeVisible()
    expect(within(table).getByText('All 1,200 payments')).toBeVisible()
  })

  it('export those who are found, as CSV that no spreadsheet takes for formulas [DASH-03]', async () => {
    const mallory = { ...line, display_name: '=HYPERLINK("https://evil.example","Grace")', plan_name: 'Front;=1+1' }
    const gone = { ...line, subscription_id: 'subscription-2', display_name: null, username: null, plan_name: null }
    creator({ 'rpc/get_subscribers': [mallory, gone] })
    const files = keepDownloads()
    renderRoute('/dashboard?tab=subscribers')
    await screen.findByRole('table', { name: 'Subscribers' })
    await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['subscribers.csv']))
    expect((await files[0]?.blob.text())?.split('\r\n')).toEqual([
      'Subscriber,Username,Plan,Status,Since,Period,Spent',
      `"'=HYPERLINK(""https://evil.example"",""Grace"")",grace,Front;'=1+1,Active,2024-05-01T10:00:00Z,"Renews Jun 1, 2024",24.50`,
      'Someone,,,Active,2024-05-01T10:00:00Z,"Renews Jun 1, 2024",24.50',
      '',
    ])
  })

  it('find subscribers by name and group, and write to one or to all of a group [DASH-03]', async () => {
    creator({ 'rpc/get_subscribers': [line] })
    const asked: unknown[] = []
    renderRoute('/dashboard?tab=subscribers')
    expect(await screen.findByRole('link', { name: 'Message Grace Hopper' })).toHaveAttribute(
      'href',
      '/messages?with=grace',
    )
    network.use(
      http.post('*/rest/v1/rpc/get_subscribers', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json([])
      }),
    )
    await userEvent.click(screen.getByRole('radio', { name: 'Ending' }))
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search subscribers' }), 'ines')
    expect(await screen.findByText('Nobody found')).toBeVisible()
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ search: 'ines', subscriber_group: 'ending' }))
    await userEvent.click(screen.getByRole('button', { name: 'Message group' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Message your subscribers' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
    expect(dialog.getByText('Write a message')).toBeVisible()
    await userEvent.type(dialog.getByLabelText(/^Message/), 'See you at six.')
    await userEvent.type(dialog.getByLabelText(/Price in USD/), '3')
    network.use(
      http.post('*/rest/v1/rpc/message_subscribers', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json(12)
      }),
    )
    await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('On its way to 12 subscribers')).toBeVisible()
    expect(asked.at(-1)).toEqual({ content: 'See you at six.', price: 3, subscriber_group: 'ending' })
  })

  it('show the balance, the payouts, and earnings by day and by source, from what was recorded [DASH-11, DASH-12, DASH-15]', async () => {
    creator()
    renderRoute('/dashboard?tab=earnings')
    await waitFor(async () => expect(await stat('Earned in all')).toHaveTextContent('$108.99'))
    expect(await stat('Balance')).toHaveTextContent('$8.99')
    expect(await stat('Available')).toHaveTextContent('$7.00Pending: $1.99')
    expect(await stat('Paid out')).toHaveTextContent('$100.00')
    const sources = await screen.findByRole('table', { name: 'By source' })
    expect(within(sources).getByRole('row', { name: /^Tips/ })).toHaveTextContent('Tips1$5.00$4.50100%')
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }))
    const days = await screen.findByRole('table', { name: 'Day by day' })
    expect(within(days).getByRole('row', { name: /^May 1, 2024/ })).toHaveTextContent('$4.50')
    expect(screen.getByText(/The platform keeps 10% of what fans pay/)).toBeVisible()
  })

  it('lead to every way of being paid [DASH-03]', async () => {
    creator({
      subscription_products: [],
      session_offers: [{ id: 'o', title: 'A talk', price_cents: 4_000, is_active: true }],
    })
    renderRoute('/dashboard?tab=monetization')
    expect(await screen.findByRole('link', { name: 'Manage plans' })).toHaveAttribute('href', '/subscription-products')
    expect(screen.getByText('1 active offer, from $40.00')).toBeVisible()
    expect(within(screen.getByRole('region', { name: 'Tips' })).getByText('$4.50 in 30 days')).toBeVisible()
  })

  it('keep what prices start from and which tips are taken, and say what is wrong at its field [DASH-03, PROF-21, D28]', async () => {
    creator({ subscription_products: [], session_offers: [] })
    const saved: unknown[] = []
    let down = true
    network.use(
      http.post('*/rest/v1/monetization_settings', async ({ request }) => {
        if (down) return HttpResponse.json({ code: 'XX000', message: 'down' }, { status: 500 })
        saved.push(await request.json())
        return new HttpResponse(null, { status: 201 })
      }),
    )
    renderRoute('/dashboard?tab=monetization')
    const form = within(await screen.findByRole('form', { name: 'Prices and tips' }))
    const [smallest, suggested] = [form.getByLabelText('Smallest tip'), form.getByLabelText('Suggested tips')]
    expect(suggested).toHaveValue('5, 10, 25, 50')
    const ppv = form.getByLabelText('Price of a pay-per-view post')
    await userEvent.type(ppv, '0.5')
    await userEvent.clear(smallest)
    await userEvent.type(smallest, '8')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(form.getByText('Enter a price from $1.00 to $9,999.99, or nothing')).toBeVisible()
    expect(form.getByText('Enter one to four different amounts from $8.00 to $500.00')).toBeVisible()
    expect(ppv).toHaveFocus()
    await userEvent.clear(ppv)
    await userEvent.type(ppv, '12')
    await userEvent.clear(suggested)
    await userEvent.type(suggested, '$8, 20')
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await form.findByText('Prices and tips could not be saved')).toBeVisible()

    // Nothing that was typed is lost, neither by the error nor by a reload.
    cleanup()
    renderRoute('/dashboard?tab=monetization')
    down = false
    const again = within(await screen.findByRole('form', { name: 'Prices and tips' }))
    expect(again.getByLabelText('Suggested tips')).toHaveValue('$8, 20')
    await userEvent.click(again.getByRole('switch', { name: /^Take tips/ }))
    await userEvent.click(again.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Prices and tips saved')).toBeVisible()
    expect(saved).toEqual([
      {
        creator_id: viewerProfile.id,
        ppv_price_cents: 1200,
        message_price_cents: null,
        takes_tips: false,
        tip_min_cents: 800,
        tip_presets_cents: [800, 2000],
      },
    ])
    expect(screen.getByText('You take no tips at the moment.')).toBeVisible()
  })

  it('go on with payments where the page before ended [DASH-03]', async () => {
    const many = Array.from({ length: 50 }, (_each, n) => ({ ...payment, id: `payment-${n}` }))
    const asked: URLSearchParams[] = []
    creator()
    network.use(
      http.get('*/rest/v1/transactions', ({ request }) => {
        const { searchParams } = new URL(request.url)
        if (searchParams.get('transaction_type') !== 'neq.payout') return HttpResponse.json([])
        asked.push(searchParams)
        return HttpResponse.json(searchParams.has('or') ? [{ ...payment, id: 'last', from: null }] : many)
      }),
    )
    renderRoute('/dashboard?tab=earnings')
    const table = await screen.findByRole('table', { name: 'Payments' })
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await within(table).findByText('Former member')).toBeVisible()
    expect(asked.map((search) => [search.get('created_at'), search.get('or')])).toEqual([
      [null, null],
      [
        `lte.${payment.created_at}`,
        `(created_at.lt."${payment.created_at}",and(created_at.eq."${payment.created_at}",id.lt.payment-49))`,
      ],
    ])
  })

  it('say what referrals bring, with the link and the numbers [DASH-03, DASH-05, DASH-16, REF-05]', async () => {
    creator({
      referrals: [],
      'rpc/get_my_referrer': [],
    })
    network.use(
      http.post('*/rest/v1/rpc/get_referral_stats', () =>
        HttpResponse.json({
          total_referrals: 12,
          completed_referrals: 10,
          pending_referrals: 2,
          total_earned: 10,
          pending_rewards: 0,
        }),
      ),
    )
    renderRoute('/dashboard?tab=referrals')
    expect(await screen.findByText(/^\$10 reward per 10 creators joined/)).toBeVisible()
    await waitFor(async () => expect(await stat('Completed')).toHaveTextContent('10'))
    expect(screen.getByText(/\/auth\?ref=REF22222222$/)).toBeVisible()
  })

  it('let a post be pinned, edited and deleted where it is listed [POST-08, POST-52, POST-53]', async () => {
    creator()
    const sent: unknown[] = []
    network.use(
      http.patch('*/rest/v1/posts', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json([{ id: 'post-1' }])
      }),
      http.delete('*/rest/v1/posts', ({ request }) => {
        sent.push(new URL(request.url).search)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const choose = async (action: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'Actions for Rehearsal' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: action }))
    }
    await choose('Pin to profile')
    await waitFor(() => expect(sent).toEqual([{ is_pinned: true }]))
    await choose('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    await userEvent.clear(dialog.getByLabelText('Title'))
    await userEvent.type(dialog.getByLabelText('Title'), 'Dress rehearsal')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toContainEqual({ title: 'Dress rehearsal', content: 'From the wings' }))
    await choose('Delete')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent).toContainEqual('?id=eq.post-1'))
  })

  it('let the captions of a post’s video be changed with its words [POST-16]', async () => {
    creator()
    const given: unknown[] = []
    network.use(
      http.patch('*/rest/v1/posts', () => new HttpResponse(null, { status: 204 })),
      http.post('*/rest/v1/rpc/set_video_captions', async ({ request }) => {
        given.push(await request.json())
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Rehearsal' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
    const captions = within(dialog.getByRole('group', { name: 'Captions of the video' }))
    expect(captions.getByText('English')).toBeVisible()
    await userEvent.click(captions.getByRole('button', { name: 'Remove the captions in German' }))
    const content = 'WEBVTT\n\n00:01.000 --> 00:04.000\nBonjour.\n'
    await userEvent.upload(
      captions.getByLabelText(/WebVTT file/),
      new File([content], 'a.fr.vtt', { type: 'text/vtt' }),
    )
    expect(await captions.findByRole('combobox', { name: 'Language of the captions' })).toHaveValue('fr')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(given).toEqual([
        { video: 'u/2.mp4', language: 'de', content: null },
        { video: 'u/2.mp4', language: 'fr', content },
      ]),
    )
  })

  it('are six; list all posts, and remember the tab in the address [DASH-03]', async () => {
    creator()
    const { router } = renderRoute('/dashboard')
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
      'Overview',
      'Subscribers',
      'Earnings',
      'Content',
      'Monetization',
      'Referrals',
    ])
    await userEvent.click(screen.getByRole('tab', { name: 'Content' }))
    const content = within(await screen.findByRole('tabpanel', { name: 'Content' })) // the overview lists the newest, too
    expect(await content.findByRole('link', { name: 'Rehearsal' })).toBeVisible()
    expect(router.state.location.search).toBe('?tab=content')
  })

  const scheduled = {
    id: 'scheduled-1',
    title: 'Opening night',
    content: 'Soon',
    post_type: 'free',
    media_urls: [],
    media_types: [],
    poll: { title: 'Coming?' },
    publish_at: new Date(Date.now() + 86_400_000).toISOString(),
    failure: null,
  }
  const failed = { ...scheduled, id: 'scheduled-2', title: 'Matinee', poll: null, failure: 'A file is missing' }

  it('list the posts that wait for their time, and what became of those that could not go out [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled, failed] })
    renderRoute('/dashboard?tab=content')
    const list = within(await screen.findByRole('region', { name: 'Scheduled' }))
    const [first, second] = list.getAllByRole('listitem')
    expect(first).toHaveTextContent(/Opening night\s*Goes out .+PollFree/)
    expect(second).toHaveTextContent('Not published: A file is missing')
  })

  it('publish, change and delete a post that waits [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled] })
    const sent: unknown[] = []
    network.use(
      http.post('*/rest/v1/rpc/publish_scheduled_post', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(scheduled.id)
      }),
      http.patch('*/rest/v1/scheduled_posts', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json([{ id: scheduled.id }])
      }),
      http.delete('*/rest/v1/scheduled_posts', ({ request }) => {
        sent.push(new URL(request.url).search)
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const choose = async (action: string) => {
      await userEvent.click(await screen.findByRole('button', { name: 'More for Opening night' }))
      await userEvent.click(await screen.findByRole('menuitem', { name: action }))
    }
    await choose('Publish now')
    expect(await screen.findByText('Post published')).toBeVisible()

    await choose('Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled post' }))
    await userEvent.clear(dialog.getByLabelText('Content'))
    await userEvent.type(dialog.getByLabelText('Content'), 'Sooner')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The scheduled post is saved')).toBeVisible()

    await choose('Delete')
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Delete this scheduled post?' })).getByRole('button', {
        name: 'Delete',
      }),
    )
    expect(await screen.findByText('Scheduled post deleted')).toBeVisible()
    expect(sent).toMatchObject([
      { scheduled_id: scheduled.id },
      { title: 'Opening night', content: 'Sooner' },
      '?id=eq.scheduled-1',
    ])
  })

  it('publish a post that waits once, and show that it is under way [GEN-41]', async () => {
    creator({ scheduled_posts: [scheduled] })
    let publications = 0
    let finish: (response: Response) => void = () => undefined
    network.use(
      http.post('*/rest/v1/rpc/publish_scheduled_post', () => {
        publications += 1
        return new Promise<Response>((resolve) => {
          finish = resolve
        })
      }),
    )
    renderRoute('/dashboard?tab=content')
    const more = await screen.findByRole('button', { name: 'More for Opening night' })
    await userEvent.click(more)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Publish now' }))
    const busy = await screen.findByRole('button', { name: 'More for Opening night', busy: true })
    expect(busy).toHaveFocus()
    await userEvent.click(busy)
    expect(screen.queryByRole('menuitem', { name: 'Publish now' })).not.toBeInTheDocument()
    await waitFor(() => expect(publications).toBe(1))
    finish(HttpResponse.json({ message: 'A file is missing' }, { status: 409 }))
    expect(await screen.findByText('A file is missing')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'More for Opening night', busy: false })).toHaveFocus()
  })

  it('let captions be added to a video that waits with its post [POST-16, GEN-41]', async () => {
    creator({ scheduled_posts: [{ ...scheduled, media_urls: ['u/3.mp4'], media_types: ['video'] }] })
    const sent: unknown[] = []
    const keep = async ({ request }: { request: Request }) => {
      sent.push(await request.json())
      return HttpResponse.json([{ id: scheduled.id }])
    }
    network.use(http.patch('*/rest/v1/scheduled_posts', keep), http.post('*/rest/v1/rpc/set_video_captions', keep))
    renderRoute('/dashboard?tab=content')
    await userEvent.click(await screen.findByRole('button', { name: 'More for Opening night' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit scheduled post' }))
    const captions = within(dialog.getByRole('group', { name: 'Captions of the video' }))
    const content = 'WEBVTT\n\n00:01.000 --> 00:04.000\nBonjour.\n'
    await userEvent.upload(captions.getByLabelText(/WebVTT file/), new File([content], 'a.fr.vtt'))
    expect(await captions.findByRole('combobox', { name: 'Language of the captions' })).toHaveValue('fr')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('The scheduled post is saved')).toBeVisible()
    expect(sent).toMatchObject([{ video: 'u/3.mp4', language: 'fr', content }, { title: 'Opening night' }])
  })

  it.each([
    ['subscribers', 'rpc/get_subscribers', 'Your subscribers could not be loaded', 'No subscribers yet'],
    ['earnings', 'transactions', 'Your payments could not be loaded', 'No payments yet'],
    ['content', 'posts', 'Your posts could not be loaded', 'No posts yet'],
  ])('offer a retry on %s, and say when there is nothing', async (tab, table, failure, empty) => {
    creator()
    network.use(fail(table))
    renderRoute(`/dashboard?tab=${tab}`)
    expect(await screen.findByText(failure)).toBeVisible()
    network.use(answer(table, []))
    // Where two lists of one table stand side by side, each has its own.
    for (const retry of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(retry)
    expect(await screen.findByText(empty)).toBeVisible()
  })
})
