import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import type { Notification } from './queries.ts'

const tip: Notification = {
  id: 'n1',
  type: 'tip',
  title: 'Ada sent you a tip',
  message: '$5.00',
  is_read: false,
  created_at: '2024-05-04T10:00:00Z',
  poll_id: null,
}
const old: Notification = { ...tip, id: 'n2', type: 'other', title: 'Welcome', is_read: true }

/** A little table behind the screen: what is changed or deleted is so when it is read again. */
function notifications(...rows: Notification[]) {
  let table = rows
  const sent: string[] = []
  network.use(
    http.head('*/rest/v1/notifications', () => {
      const unread = table.filter((row) => !row.is_read).length
      return new HttpResponse(null, { headers: { 'content-range': `*/${unread}` } })
    }),
    http.get('*/rest/v1/notifications', () => HttpResponse.json(table)),
    http.patch('*/rest/v1/notifications', ({ request }) => {
      const parameters = new URL(request.url).searchParams
      sent.push(`patch ${parameters}`)
      const id = parameters.get('id')
      table = table.map((row) => (id && id !== `eq.${row.id}` ? row : { ...row, is_read: true }))
      return new HttpResponse(null, { status: 204 })
    }),
    http.delete('*/rest/v1/notifications', ({ request }) => {
      const id = new URL(request.url).searchParams.get('id')
      table = table.filter((row) => id !== `eq.${row.id}`)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return { sent, add: (row: Notification) => (table = [row, ...table]) }
}
const item = async (title: string) => (await screen.findByText(title)).closest('li') as HTMLElement

it('sends a visitor to sign in, and shows no notifications [NOTI-02]', async () => {
  const { router } = renderRoute('/notifications')
  expect(screen.queryByText('Recent Activity')).not.toBeInTheDocument()
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  expect(screen.queryByText('Recent Activity')).not.toBeInTheDocument()
})

it('shows what is new, each with icon, title, message and time [NOTI-01, NOTI-07, NOTI-08]', async () => {
  signIn()
  notifications(tip, old)
  renderRoute('/notifications')
  const unread = await item('Ada sent you a tip')
  expect(unread.parentElement?.children).toHaveLength(2) // and no empty row at the end
  expect(within(unread).getByText('$5.00')).toBeVisible()
  const hour = new Date(tip.created_at).getHours() % 12 || 12
  expect(unread.querySelector('time')?.textContent).toMatch(new RegExp(`2024.*\\b${hour}:00`))
  expect(unread.querySelector('[data-tone="green"] svg')).toBeInTheDocument()
  expect(within(unread).getByRole('button', { name: 'Mark read' })).toBeVisible()
  expect(unread).toHaveAttribute('data-unread', 'true')
  expect(await item('Welcome')).toHaveAttribute('data-unread', 'false')
  expect(within(await item('Welcome')).queryByRole('button', { name: 'Mark read' })).not.toBeInTheDocument()
  expect(await screen.findByText('1 new')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Recent Activity' })).toBeVisible()
})

it('leads admins from a notification to the queue that it is about [LOOP-24, NOTI-15]', async () => {
  signIn({ role: 'admin' })
  const title = 'Ada applied to become a creator'
  notifications({ ...tip, type: 'other', title, message: '', group: 'application' })
  renderRoute('/notifications')
  expect(within(await item(title)).getByRole('link')).toHaveAttribute('href', '/admin')
})

it('marks one as read, and counts the new ones [NOTI-04, NOTI-08, API-REST-14]', async () => {
  signIn()
  const { sent } = notifications(tip, old)
  renderRoute('/notifications')
  expect(await screen.findByRole('heading', { level: 1, name: /^Notifications/ })).toBeVisible()
  expect(await screen.findByText('1 new')).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: 'Mark read' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark read' })).not.toBeInTheDocument())
  await waitFor(() => expect(screen.queryByText('1 new')).not.toBeInTheDocument())
  expect(sent).toEqual(['patch id=eq.n1'])
})

it('marks all as read, and offers that only while there is something unread [NOTI-05]', async () => {
  signIn()
  const { sent } = notifications(tip, { ...tip, id: 'n3', title: 'Another' })
  renderRoute('/notifications')
  const all = await screen.findByRole('button', { name: 'Mark all read' })
  await userEvent.click(all)
  await waitFor(() => expect(all).not.toBeInTheDocument())
  expect(sent).toEqual([`patch user_id=eq.${viewerProfile.id}&is_read=eq.false`])
})

it('deletes one; an unread one lowers the count [NOTI-09, NOTI-10]', async () => {
  signIn()
  notifications(tip, old)
  renderRoute('/notifications')
  await screen.findByText('1 new')
  await userEvent.click(within(await item('Ada sent you a tip')).getByRole('button', { name: /Delete/ }))
  await waitFor(() => expect(screen.queryByText('Ada sent you a tip')).not.toBeInTheDocument())
  await waitFor(() => expect(screen.queryByText('1 new')).not.toBeInTheDocument())
  await userEvent.click(within(await item('Welcome')).getByRole('button', { name: /Delete/ }))
  expect(await screen.findByText('No notifications yet')).toBeVisible()
})

it('keeps the focus in the list after deleting by keyboard [NOTI-09]', async () => {
  signIn()
  notifications(tip, old)
  renderRoute('/notifications')
  const unread = await item('Ada sent you a tip')
  within(unread)
    .getByRole('button', { name: /Delete/ })
    .focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(unread).not.toBeInTheDocument())
  await waitFor(() => expect(document.activeElement).toContainElement(screen.getByText('Welcome')))
  expect(document.body).not.toHaveFocus()
})

it('only logs a deletion that failed, and shows the notification again [NOTI-11]', async () => {
  signIn()
  notifications(old)
  network.use(http.delete('*/rest/v1/notifications', () => HttpResponse.json({ message: 'down' }, { status: 500 })))
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  renderRoute('/notifications')
  await userEvent.click(within(await item('Welcome')).getByRole('button', { name: /Delete/ }))
  await waitFor(() => expect(warn).toHaveBeenCalledWith('A notification could not be deleted:', 'down'))
  expect(await screen.findByText('Welcome')).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  warn.mockRestore()
})

describe('new posts', () => {
  const noor = '40000000-0000-4000-8000-000000000001'
  const group = (posts: number, published_at: string) => ({
    creator_id: noor,
    posts,
    post_id: '50000000-0000-4000-8000-000000000001',
    title: posts === 1 ? 'Noor published a post' : `Noor published ${posts} posts`,
    message: posts === 1 ? '"The pier"' : 'The latest: "The pier"',
    published_at,
  })
  /** The server's new posts; what is read or dismissed is gone. */
  function newPosts(first: object[]) {
    let groups = first
    const sent: unknown[] = []
    const settle = async ({ request }: { request: Request }) => {
      sent.push([new URL(request.url).pathname.split('/').at(-1), await request.json()])
      groups = []
      return HttpResponse.json(1)
    }
    network.use(
      http.get('*/rest/v1/posts', () => HttpResponse.json([])),
      http.get('*/rest/v1/rpc/count_new_posts', () => HttpResponse.json(groups.length)),
      http.get('*/rest/v1/rpc/get_new_posts', () => HttpResponse.json(groups)),
      http.post('*/rest/v1/rpc/read_new_posts', settle),
      http.post('*/rest/v1/rpc/dismiss_new_posts', settle),
    )
    return { sent, put: (next: object[]) => (groups = next) }
  }

  it('are among the others by their time, one for each creator, with a link to the newest [LOOP-02, NOTI-07]', async () => {
    signIn()
    notifications(tip)
    newPosts([group(3, '2024-05-04T09:00:00Z')])
    renderRoute('/notifications')
    const posts = await item('Noor published 3 posts')
    expect(posts).toHaveAttribute('data-unread', 'true')
    expect(within(posts).getByRole('link', { name: 'Noor published 3 posts' })).toHaveAttribute(
      'href',
      '/post/50000000-0000-4000-8000-000000000001',
    )
    expect((await item('Ada sent you a tip')).nextElementSibling).toBe(posts)
    expect(await screen.findByText('2 new')).toBeVisible()
  })

  it.each([
    ['Mark read', 'read_new_posts'],
    [/Delete/, 'dismiss_new_posts'],
  ])('are settled by %s as far as the viewer has seen them [LOOP-02, NOTI-08, NOTI-09]', async (name, procedure) => {
    signIn()
    notifications()
    const { sent } = newPosts([group(1, '2024-05-04T09:00:00.123456+00:00')])
    renderRoute('/notifications')
    await screen.findByText('1 new')
    await userEvent.click(within(await item('Noor published a post')).getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByText('1 new')).not.toBeInTheDocument())
    expect(sent).toEqual([[procedure, { creator_profile_id: noor, until: '2024-05-04T09:00:00.123456+00:00' }]])
  })

  it('are marked as read with all others [LOOP-02, NOTI-05]', async () => {
    signIn()
    notifications(tip)
    const { sent } = newPosts([group(1, '2024-05-04T09:00:00Z')])
    renderRoute('/notifications')
    await userEvent.click(await screen.findByRole('button', { name: 'Mark all read' }))
    await waitFor(() => expect(screen.queryByText(/new$/)).not.toBeInTheDocument())
    expect(sent).toEqual([['read_new_posts', {}]])
  })

  it('arrive live, on the screen and on the bell, and go with the post [LOOP-02, NOTI-14, GEN-21]', async () => {
    signIn()
    notifications(old)
    const { put } = newPosts([])
    network.use(http.get('*/rest/v1/rpc/list_heard_creators', () => HttpResponse.json([noor])))
    renderRoute('/notifications')
    await screen.findByText('Welcome')
    await waitFor(() => expect(listensTo('posts')).toContain(`creator_id=in.(${noor})`))
    put([group(1, '2024-05-05T09:00:00Z')])
    pushInsert('posts', { id: 'p1', creator_id: noor })
    expect(await screen.findByText('Noor published a post')).toBeVisible()
    expect((await screen.findAllByRole('link', { name: 'Notifications, 1 unread' })).length).toBeGreaterThan(0)
  })
})

it('says that there are none yet [NOTI-12]', async () => {
  signIn()
  notifications()
  renderRoute('/notifications')
  expect(await screen.findByText('No notifications yet')).toBeVisible()
  expect(screen.getByText("You'll see notifications about tips, messages, and subscribers here.")).toBeVisible()
})

it('spins while loading, and recovers when loading fails and the viewer retries [NOTI-03]', async () => {
  signIn()
  notifications()
  const looked = Promise.withResolvers<void>()
  network.use(
    fail('notifications'),
    // Before it fails: it answers nothing itself.
    http.get('*/rest/v1/notifications', () => looked.promise),
  )
  renderRoute('/notifications')
  // It turns in one place until the viewer is known, and then in another.
  await waitFor(() => expect(screen.getByRole('status', { name: 'Loading notifications' })).toBeVisible())
  looked.resolve()
  const retry = await screen.findByRole('button', { name: 'Retry' })
  notifications(tip)
  await userEvent.click(retry)
  expect(await screen.findByText('Ada sent you a tip')).toBeVisible()
})

it('shows a new one live, on the screen and on the bell [NOTI-14, GEN-21, API-RT-01, API-RT-02]', async () => {
  signIn()
  const table = notifications(old)
  renderRoute('/notifications')
  await screen.findByText('Welcome')
  await waitFor(() => expect(listensTo('notifications')).toEqual([`user_id=eq.${viewerProfile.id}`]))
  table.add(tip)
  pushInsert('notifications', { ...tip, user_id: viewerProfile.id })
  expect(await screen.findByText('Ada sent you a tip')).toBeVisible()
  expect((await screen.findAllByRole('link', { name: 'Notifications, 1 unread' })).length).toBeGreaterThan(0)
})

it.each([
  ['tip', 'green'],
  ['payment', 'green'],
  ['like', 'red'],
  ['message', 'blue'],
  ['subscription', 'purple'],
  ['verification', 'yellow'],
  ['poll', 'primary'],
  ['announcement', 'primary'],
  ['other', 'default'],
])('marks %s in %s [NOTI-13, DATA-13]', async (type, tone) => {
  signIn()
  notifications({ ...tip, type })
  renderRoute('/notifications')
  expect((await item('Ada sent you a tip')).querySelector('[data-tone]')).toHaveAttribute('data-tone', tone)
})
