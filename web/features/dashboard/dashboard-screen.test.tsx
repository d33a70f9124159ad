import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
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
    http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json(stats)),
    ...Object.entries(tables).map(([table, rows]) => answer(table, rows)),
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
    expect(posts.getByText('2 files · 0 likes · 1 comment')).toBeVisible()
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

  it.each(['notifications', 'subscriptions'])('follows %s as they happen [D21, API-RT-01]', async (table) => {
    const viewer = creator({ subscriptions: [] })
    network.use(http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json({ ...stats, total_earnings: 0 })))
    renderRoute('/dashboard')
    expect(await stat('Total earnings')).toHaveTextContent('$0.00')
    await waitFor(() => {
      expect(listensTo('notifications')).toHaveLength(1)
      expect(listensTo('subscriptions')).toEqual([`creator_id=eq.${viewer.id}`])
    })
    network.use(
      http.post('*/rest/v1/rpc/get_creator_stats', () => HttpResponse.json(stats)),
      answer('subscriptions', [subscription]),
    )
    pushInsert(table, {})
    expect(await screen.findByText('$8.99', { selector: 'dd', exact: false })).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Grace Hopper' })).toBeVisible()
  })
})

describe('the header', () => {
  it('leads to creator setup and products, and copies the referral link [DASH-04, DASH-05, DASH-06, D30]', async () => {
    const viewer = creator()
    const copied = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { clipboard: { writeText: copied } }))
    renderRoute('/dashboard')
    expect(await screen.findByRole('link', { name: 'Creator Setup' })).toHaveAttribute('href', '/creator-onboarding')
    expect(screen.getByRole('link', { name: 'Subscription Products' })).toHaveAttribute(
      'href',
      '/subscription-products',
    )
    screen.getByRole('button', { name: 'Copy Referral Link' }).click()
    const code = `REF${viewer.id.slice(0, 8).toUpperCase()}`
    await waitFor(() => expect(copied).toHaveBeenCalledWith(`${window.location.origin}/auth?ref=${code}`))
    vi.unstubAllGlobals()
  })
})

describe('the other tabs', () => {
  it('list all subscribers with plan, status and period [DASH-03, DASH-11]', async () => {
    creator({
      subscriptions: [
        subscription,
        { ...subscription, id: 'subscription-2', cancel_at_period_end: true, tier: { name: 'Front row' } },
        { ...subscription, id: 'subscription-3', status: 'canceled' },
      ],
    })
    renderRoute('/dashboard?tab=subscribers')
    const table = await screen.findByRole('table', { name: 'Subscribers' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/Grace Hopper.*Backstage.*Active.*May 1, 2024.*Renews Jun 1, 2024/)
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
      ['$9.99', '-$1.00', '$8.99'],
      ['$0.10', '-$0.01', '$0.09'],
      ['$10.09', '-$1.01', '$9.08'],
    ])
    expect(within(table).getByText('Former member')).toBeVisible()
    expect(within(table).getByText('Sum of 2 payments')).toBeVisible()
  })

  it('list all posts, and remember the tab in the address [DASH-03]', async () => {
    creator()
    const { router } = renderRoute('/dashboard')
    await userEvent.click(await screen.findByRole('tab', { name: 'Content' }))
    expect(await screen.findByRole('link', { name: 'Rehearsal' })).toBeVisible()
    expect(router.state.location.search).toBe('?tab=content')
  })

  const scheduled = {
    id: 'scheduled-1',
    title: 'Opening night',
    content: 'Soon',
    post_type: 'free',
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

  it.each([
    ['subscribers', 'subscriptions', 'Your subscribers could not be loaded', 'No subscribers yet'],
    ['earnings', 'transactions', 'Your payments could not be loaded', 'No payments yet'],
    ['content', 'posts', 'Your posts could not be loaded', 'No posts yet'],
  ])('offer a retry on %s, and say when there is nothing', async (tab, table, failure, empty) => {
    creator()
    network.use(fail(table))
    renderRoute(`/dashboard?tab=${tab}`)
    expect(await screen.findByText(failure)).toBeVisible()
    network.use(answer(table, []))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText(empty)).toBeVisible()
  })
})
