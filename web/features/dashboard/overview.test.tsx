import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, onTestFinished } from 'vitest'
import { creator, payment, stat, stats, subscription } from '../../testing/dashboard.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'

describe('the overview', () => {
  it('shows the recorded numbers and the latest of everything [DASH-01, DASH-10, DASH-11, DASH-14, RPC-02]', async () => {
    creator()
    network.use(
      http.post('*/rest/v1/rpc/get_creator_stats', () =>
        HttpResponse.json({
          total_earnings: 899,
          monthly_earnings: 450,
          total_subscribers: 21,
          new_subscribers_this_week: 2,
          total_likes: 33,
          total_messages: 44,
          profile_views: 55,
        }),
      ),
    )
    renderRoute('/dashboard')
    for (const [name, value] of [
      ['Total earnings', '$8.99'],
      ['This month', '$4.50'],
      ['Subscribers', '21'],
      ['New this week', '2'],
      ['Likes', '33'],
      ['Messages received', '44'],
      ['Profile views', '55'],
    ] as const)
      expect((await screen.findByText(name, { selector: 'dt' })).nextElementSibling).toHaveTextContent(value)
    expect(await stat('Views')).toHaveTextContent('13,312+1,231.2% vs. previous 30 days')
    const subscribers = within(await screen.findByRole('region', { name: 'Recent subscribers' }))
    expect(await subscribers.findByRole('link', { name: 'Grace Hopper' })).toHaveAttribute('href', '/profile/grace')
    expect(subscribers.getByText('Subscribed to Backstage')).toBeVisible()
    const activity = within(screen.getByRole('region', { name: 'Activity' }))
    expect(await activity.findByText('Grace Hopper subscribed to Backstage')).toBeVisible()
    const posts = within(screen.getByRole('region', { name: 'Recent posts' }))
    expect(await posts.findByRole('link', { name: 'Rehearsal' })).toHaveAttribute('href', '/post/post-1')
    expect(posts.getByText('2 files').parentElement).toHaveTextContent('2 files1,231 views0 likes1 comment$4.50 earned')
    expect(screen.queryByRole('region', { name: 'Recent tips' })).not.toBeInTheDocument()
  })

  it('shows the latest 5 active subscribers, 3 completed tips, 5 activities and 10 posts [DASH-10, API-REST-21, API-REST-24, API-REST-28]', async () => {
    creator({ transactions: [{ ...payment, transaction_type: 'tip' }] })
    const asked: Record<string, URLSearchParams> = {}
    onTestFinished(() => network.events.removeAllListeners())
    network.events.on('request:start', ({ request }) => {
      const url = new URL(request.url)
      const table = url.pathname.split('/rest/v1/')[1]
      if (table && request.method === 'GET' && url.searchParams.has('limit')) asked[table] = url.searchParams
    })
    renderRoute('/dashboard')
    await waitFor(() =>
      expect(Object.keys(asked).sort()).toEqual(['notifications', 'posts', 'subscriptions', 'transactions']),
    )
    expect(asked.subscriptions?.get('limit')).toBe('5')
    expect(asked.subscriptions?.get('status')).toBe('eq.active')
    expect(asked.transactions?.get('limit')).toBe('3')
    expect(asked.transactions?.get('transaction_type')).toBe('eq.tip')
    expect(asked.transactions?.get('status')).toBe('eq.completed')
    expect(asked.notifications?.get('limit')).toBe('5')
    expect(asked.notifications?.get('type')).toBe('not.in.(poll,announcement)') // nothing that goes to everyone
    expect(asked.posts?.get('limit')).toBe('10')
    for (const name of ['Recent subscribers', 'Recent tips', 'Activity', 'Recent posts'])
      expect(await screen.findByRole('region', { name })).toBeVisible()
  })

  it('shows tips where there are some [DASH-10]', async () => {
    creator({ transactions: [{ ...payment, transaction_type: 'tip', amount: 2500 }] })
    renderRoute('/dashboard')
    const tips = within(await screen.findByRole('region', { name: 'Recent tips' }))
    expect(tips.getByText('$25.00')).toBeVisible()
  })

  it('says what is not there yet', async () => {
    creator({ subscriptions: [], posts: [], notifications: [] })
    renderRoute('/dashboard')
    expect(await screen.findByText('No subscribers yet')).toBeVisible()
    expect(await screen.findByText('No posts yet')).toBeVisible()
    expect(await screen.findByText('No activity yet')).toBeVisible()
  })

  it('stands when a part of it fails, and tries that part again [DASH-17]', async () => {
    creator()
    network.use(fail('subscriptions'), fail('rpc/get_creator_stats'))
    renderRoute('/dashboard')
    expect(await screen.findByText("Couldn't load your subscribers")).toBeVisible()
    expect(await screen.findByText("Couldn't load your stats")).toBeVisible()
    expect(await screen.findByRole('link', { name: 'Rehearsal' })).toBeVisible()
    network.use(answer('subscriptions', [subscription]))
    await userEvent.click(
      within(screen.getByRole('region', { name: 'Recent subscribers' })).getByRole('button', { name: 'Retry' }),
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
