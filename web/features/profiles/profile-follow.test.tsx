import { notificationsStore } from '@mantine/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { plan } from '../../testing/composer.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildProfile, noor } from '../../testing/rows.ts'
import { serveProfile, statistic } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('follows at once and tells the server, then unfollows [PROF-07, PROF-19]', async () => {
  signIn()
  const { id } = serveProfile()
  const sent: string[] = []
  network.use(
    http.post('*/rest/v1/follows', async ({ request }) => {
      sent.push(JSON.stringify(await request.json()))
      return new HttpResponse(null, { status: 201 })
    }),
    http.delete('*/rest/v1/follows', ({ request }) => {
      sent.push(new URL(request.url).search)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  expect(screen.getByRole('link', { name: 'Message' })).toHaveAttribute('href', '/messages?with=noor')
  await userEvent.click(button)
  expect(button).toHaveAccessibleName('Following Noor Haddad')
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'))
  await userEvent.click(button)
  await waitFor(() => expect(button).toHaveAccessibleName('Follow Noor Haddad'))
  expect(sent).toEqual([
    JSON.stringify({ follower_id: viewerProfile.id, following_id: id }),
    `?follower_id=eq.${viewerProfile.id}&following_id=eq.${id}`,
  ])
})

it('keeps the focus of the keyboard, and follows once however often the key is pressed [PROF-19]', async () => {
  signIn()
  serveProfile()
  let sent = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  network.use(
    http.post('*/rest/v1/follows', async () => {
      sent += 1
      await answered
      return new HttpResponse(null, { status: 201 })
    }),
  )
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  button.focus()
  await userEvent.keyboard('{Enter}{Enter}')
  expect(button).toHaveAttribute('aria-disabled', 'true')
  expect(button).toBeEnabled()
  answer()
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'))
  expect(button).toHaveFocus()
  expect(sent).toBe(1)
})

describe('unfollowing a creator whom the viewer pays', () => {
  const subscribed = () => {
    signIn()
    const { id } = serveProfile()
    let unfollowed = 0
    network.use(
      http.delete('*/rest/v1/follows', () => {
        unfollowed += 1
        return new HttpResponse(null, { status: 204 })
      }),
      answer('follows', [{ following_id: id }]),
      answer('subscriptions', [{ id: 's1', tier_id: plan.id }]),
    )
    renderRoute('/profile/noor')
    return { unfollowed: () => unfollowed }
  }
  const press = async () => {
    const button = await screen.findByRole('button', { name: 'Following Noor Haddad' })
    await waitFor(() => expect(button).toBeEnabled())
    await userEvent.click(button)
    return button
  }

  it('asks first [LOOP-01]', async () => {
    const { unfollowed } = subscribed()
    const button = await press()
    const dialog = await screen.findByRole('dialog', { name: 'Unfollow Noor Haddad?' })
    expect(dialog).toHaveTextContent('Your subscription stays active.')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Keep following' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(button).toHaveAccessibleName('Following Noor Haddad')
    expect(unfollowed()).toBe(0)
    await userEvent.click(button)
    await userEvent.click(await screen.findByRole('button', { name: 'Unfollow' }))
    expect(button).toHaveAccessibleName('Follow Noor Haddad')
    await waitFor(() => expect(unfollowed()).toBe(1))
  })

  it('changes nothing while it is unknown whether the viewer pays [LOOP-01]', async () => {
    const { unfollowed } = subscribed()
    network.use(fail('subscriptions'))
    const button = await press()
    expect(await screen.findByText('Failed to update follow status')).toBeVisible()
    expect(button).toHaveAccessibleName('Following Noor Haddad')
    expect(unfollowed()).toBe(0)
  })
})

describe('the bell of a creator', () => {
  const follower = (level: string | null) => {
    signIn()
    const { id } = serveProfile()
    const sent: unknown[] = []
    network.use(
      http.get('*/rest/v1/rpc/get_post_alerts', () => HttpResponse.json(sent.length > 0 ? 'paid' : level)),
      http.post('*/rest/v1/rpc/set_post_alerts', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json('paid')
      }),
    )
    renderRoute('/profile/noor')
    return { id, sent }
  }
  const bell = (level: string) => screen.findByRole('button', { name: `New posts by Noor Haddad: ${level}` })

  it('chooses which new posts a follower hears of [LOOP-02]', async () => {
    const { id, sent } = follower('all')
    await userEvent.click(await bell('All posts'))
    expect(await screen.findByRole('menuitemradio', { name: 'All posts', checked: true })).toBeVisible()
    expect(screen.getByRole('menuitemradio', { name: 'None', checked: false })).toBeVisible()
    await userEvent.click(screen.getByRole('menuitemradio', { name: 'Paid posts only' }))
    expect(await bell('Paid posts only')).toBeVisible()
    await waitFor(() => expect(sent).toEqual([{ creator_profile_id: id, alert_level: 'paid' }]))
  })

  it('stays as it was when the server rejects it [LOOP-02]', async () => {
    follower('all')
    network.use(fail('rpc/set_post_alerts'))
    await userEvent.click(await bell('All posts'))
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'None' }))
    expect(await screen.findByText(/Couldn't change which posts you hear about/)).toBeVisible()
    expect(await bell('All posts')).toBeVisible()
  })

  it('is not shown to others [LOOP-02]', async () => {
    follower(null)
    expect(await screen.findByRole('button', { name: 'Follow Noor Haddad' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /New posts by/ })).not.toBeInTheDocument()
  })
})

it.each([
  ['follow', 'Follow Noor Haddad', false],
  ['unfollow', 'Following Noor Haddad', true],
])('undoes the %s that the server rejects [PROF-20]', async (_what, name, isFollowing) => {
  signIn()
  const { id } = serveProfile({ followers_count: 5 })
  const reject = () => HttpResponse.json({ message: 'no' }, { status: 500 })
  network.use(
    http.post('*/rest/v1/follows', reject),
    http.delete('*/rest/v1/follows', reject),
    answer('follows', isFollowing ? [{ following_id: id }] : []),
  )
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  expect(await screen.findByText('Failed to update follow status')).toBeVisible()
  expect(button).toHaveAccessibleName(name)
  expect(statistic('Followers')).toHaveTextContent('5')
})

it('counts a follow that another window has made already as made [PROF-19]', async () => {
  signIn()
  serveProfile()
  const taken = { code: '23505', message: 'duplicate key' }
  network.use(http.post('*/rest/v1/follows', () => HttpResponse.json(taken, { status: 409 })))
  renderRoute('/profile/noor')
  const button = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'))
  expect(button).toHaveAccessibleName('Following Noor Haddad')
  expect(screen.queryByText('Failed to update follow status')).not.toBeInTheDocument()
})

const planId = 'd0000000-0000-4000-8000-000000000001'

it.each([
  ['Follow Noor Haddad', '/profile/noor', `follow:${noor.id}`],
  ['Subscribe Now: Monthly', '/profile/noor?tab=subscribe', `subscribe:${planId}`],
])(
  'asks a visitor who presses "%s" to sign in, beside the form and not in a toast [GEN-40, LOOP-04]',
  async (name, address, action) => {
    serveProfile()
    network.use(answer('subscription_products', [{ ...plan, id: planId, creator: buildProfile() }]))
    const { router } = renderRoute(address)
    await userEvent.click(await screen.findByRole('button', { name }))
    expect(await screen.findByText('Sign In Required')).toBeVisible()
    expect(notificationsStore.getState().notifications).toEqual([])
    const { pathname, search } = router.state.location
    expect(pathname).toBe('/auth')
    const next = new URL(new URLSearchParams(search).get('next') ?? '', window.location.origin)
    expect(next.pathname).toBe('/profile/noor')
    expect(next.searchParams.get('continue')).toBe(action)
  },
)

it('offers neither to follow nor to unfollow before it is known which [PROF-19]', async () => {
  signIn()
  const profile = serveProfile()
  const told = Promise.withResolvers<void>()
  network.use(
    http.get('*/rest/v1/follows', async () => {
      await told.promise
      return HttpResponse.json([{ following_id: profile.id }])
    }),
  )
  renderRoute('/profile/noor')
  expect(await screen.findByRole('link', { name: 'Message' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Follow.* Noor Haddad/ })).not.toBeInTheDocument()
  told.resolve()
  expect(await screen.findByRole('button', { name: 'Following Noor Haddad' })).toBeEnabled()
})
