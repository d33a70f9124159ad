import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { listOf, type Notification, type NotificationPage, takeInNewest } from './queries.ts'
import { runsOf } from './runs-of.ts'

const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
const row = (n: number, more: Partial<Notification> = {}): Notification => ({
  id: `n${n}`,
  type: 'other',
  title: `Notification ${n}`,
  message: '',
  is_read: true,
  created_at: at(n),
  poll_id: null,
  ...more,
})
const rows = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => row(from + place))
const ada = {
  id: '40000000-0000-4000-8000-00000000000a',
  user_id: '41000000-0000-4000-8000-00000000000a',
  username: 'ada',
  display_name: 'Ada',
  avatar_url: null,
  is_verified: false,
  updated_at: '2024-05-04T10:00:00Z',
}
const pier = {
  id: '50000000-0000-4000-8000-000000000001',
  media_urls: ['ada/pier.jpg'],
  media_types: ['image'],
  media_previews: [{ preview: '1QcSHQRnh493V4dIh4eXh1h4kJUI' }],
}
const item = async (title: string) => (await screen.findByText(title)).closest('li') as HTMLElement

/** Answers for the table with these rows, filtered and page by page as the server does. @returns the queries. */
function table(all: () => Notification[], size = 50): URLSearchParams[] {
  const asked: URLSearchParams[] = []
  network.use(
    http.get('*/rest/v1/notifications', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const types = /in\.\((.*)\)/.exec(query.get('type') ?? '')?.[1]?.split(',')
      const before = query.get('created_at')?.replace('lte.', '')
      const found = all().filter(
        ({ type, created_at }) =>
          (!types || types.includes(type)) && (!before || created_at < before) && !query.has('data->>group'),
      )
      return HttpResponse.json(found.slice(0, size))
    }),
  )
  return asked
}

describe('a notification', () => {
  it('shows who it is about, with the icon of its type on the face, the picture, and its age beside the date [LOOP-17, NOTI-07, NOTI-13]', async () => {
    signIn()
    const like = {
      type: 'like',
      title: 'Ada liked your post',
      message: '"The pier"',
      profile_id: ada.id,
      post_id: pier.id,
    }
    table(() => [row(125, like)])
    network.use(answer('profiles', [{ ...viewerProfile }, ada]), answer('posts', [pier]))
    network.use(
      http.post('*/storage/v1/object/sign/posts', () =>
        HttpResponse.json([
          { path: pier.media_urls[0], signedURL: '/object/sign/posts/ada/pier.jpg?token=t', error: null },
        ]),
      ),
    )
    renderRoute('/notifications')
    const shown = await item('Ada liked your post')
    expect(shown.querySelector('[data-initials="A"]')).toBeInTheDocument()
    expect(shown.querySelector('[data-tone="red"] svg')).toBeInTheDocument()
    expect(shown.querySelector('time')?.textContent).toMatch(/^2h · .*\d{4}/)
    expect(within(shown).getByRole('link', { name: 'Ada liked your post' })).toHaveAttribute('href', `/post/${pier.id}`)
    await waitFor(() =>
      expect(shown.querySelector('img[src*="/render/image/sign/posts/ada/pier.jpg"]')).toBeInTheDocument(),
    )
  })

  it('shows the date alone after a week [LOOP-17, D66]', async () => {
    signIn()
    const day = 24 * 60
    table(() => [row(6 * day), row(8 * day)])
    renderRoute('/notifications')
    const times = [await item(`Notification ${6 * day}`), await item(`Notification ${8 * day}`)].map(
      (shown) => shown.querySelector('time')?.textContent,
    )
    expect(times).toEqual([expect.stringMatching(/^6d · .*\d{4}/), expect.not.stringContaining('·')])
  })

  it('shows of a locked post only its blurred preview [LOOP-17, POST-46]', async () => {
    signIn()
    table(() => [row(1, { post_id: pier.id })])
    network.use(answer('posts', [{ ...pier, media_urls: [] }]))
    renderRoute('/notifications')
    const shown = await item('Notification 1')
    await waitFor(() => expect(shown.querySelector('[data-blurred-preview]')).toBeInTheDocument())
    expect(shown.querySelectorAll('img')).toHaveLength(1)
  })

  it.each([
    [{ type: 'message', profile_id: ada.id }, '/messages?with=ada'],
    [{ type: 'tip', profile_id: ada.id }, '/profile/ada'],
    [{ booking_id: 'b1' }, '/private-sessions'],
    [{ gift_code: 'abc' }, '/gift/abc'],
  ])('leads to what it is about: %j', async (about, href) => {
    signIn()
    table(() => [row(1, about)])
    network.use(answer('profiles', [{ ...viewerProfile }, ada]))
    renderRoute('/notifications')
    expect(await screen.findByRole('link', { name: 'Notification 1' })).toHaveAttribute('href', href)
  })
})

describe('the list', () => {
  it('shows all kinds, posts, mentions, or money, and the address keeps the choice [LOOP-17]', async () => {
    signIn()
    const asked = table(() => [
      row(1, { type: 'tip', title: 'A tip' }),
      row(2, { type: 'message', title: 'A message' }),
    ])
    const { router } = renderRoute('/notifications')
    await screen.findByText('A message')
    await userEvent.click(screen.getByRole('radio', { name: 'Money' }))
    await waitFor(() => expect(screen.queryByText('A message')).not.toBeInTheDocument())
    expect(await screen.findByText('A tip')).toBeVisible()
    expect(router.state.location.search).toBe('?show=money')
    await userEvent.click(screen.getByRole('radio', { name: 'Posts' }))
    expect(await screen.findByText('No post activity yet')).toBeVisible()
    expect(asked.at(-1)?.get('data->>post_id')).toBe('not.is.null')
    expect(router.state.location.search).toBe('?show=posts')
    await userEvent.click(screen.getByRole('radio', { name: 'Mentions' }))
    expect(await screen.findByText('No mentions yet')).toBeVisible()
    expect(asked.at(-1)?.get('data->>group')).toBe('like.comment:%')
    expect(router.state.location.search).toBe('?show=mentions')
  })

  it('opens with the choice in the address [LOOP-17]', async () => {
    signIn()
    table(() => [row(1, { type: 'tip', title: 'A tip' }), row(2)])
    renderRoute('/notifications?show=money')
    expect(await screen.findByText('A tip')).toBeVisible()
    expect(screen.getByRole('radio', { name: 'Money' })).toBeChecked()
    expect(screen.queryByText('Notification 2')).not.toBeInTheDocument()
  })

  it('groups several of a kind in a row, and shows them on a click [LOOP-17]', async () => {
    signIn()
    const tips = Array.from({ length: 5 }, (_, n) => row(n + 1, { type: 'tip', title: `Tip ${n + 1}` }))
    table(() => [...tips, row(9)])
    renderRoute('/notifications')
    await screen.findByText('Tip 1')
    expect(screen.getByText('Notification 9')).toBeVisible()
    expect(screen.queryByText('Tip 2')).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Show 4 more like this' }))
    expect(screen.getByText('Tip 5')).toBeVisible()
    expect(screen.queryByRole('button', { name: /more like this/ })).not.toBeInTheDocument()
  })

  it('loads page by page, and after a live change only the newest page again [NOTI-14]', async () => {
    signIn()
    let all = rows(1, 120)
    const asked = table(() => all)
    renderRoute('/notifications')
    await screen.findByText('Notification 50')
    for (const last of [100, 120]) {
      await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
      await screen.findByText(`Notification ${last}`)
    }
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
    const older = () => asked.flatMap((query) => query.get('created_at') ?? [])
    const cursors = [49, 99].map((place) => `lte.${all[place]?.created_at}`)
    expect(older()).toEqual(cursors)
    await waitFor(() => expect(listensTo('notifications')).toHaveLength(1))
    all = [row(0, { title: 'The newest' }), ...all]
    pushInsert('notifications', { ...row(0), user_id: viewerProfile.id })
    expect(await screen.findByText('The newest')).toBeVisible()
    expect(screen.getByText('Notification 120')).toBeVisible()
    expect(older()).toEqual(cursors)
  })
})

describe('merging the newest page', () => {
  const page = (stored: Notification[], hasNext = true): NotificationPage => ({
    stored,
    newPosts: [],
    next: hasNext ? stored.at(-1) : undefined,
  })
  const list = (...pages: NotificationPage[]) => ({ pages, pageParams: pages.map(() => undefined) })
  const ids = ({ pages }: { pages: NotificationPage[] }) => pages.flatMap(({ stored }) => stored.map(({ id }) => id))

  it('adds what is new, updates what changed, and drops what was deleted [NOTI-14]', () => {
    const known = list(page(rows(1, 4)), page(rows(5, 8), false))
    const newest = page([row(0), row(1, { title: 'Changed' }), row(3)])
    const merged = takeInNewest(known, newest)
    expect(ids(merged)).toEqual(['n0', 'n1', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8'])
    expect(merged.pages[0]?.stored[1]?.title).toBe('Changed')
    expect(merged.pages[1]?.next).toBeUndefined()
  })

  it('starts over when more is new than fits on a page, or when the page is everything [NOTI-14]', () => {
    const known = list(page(rows(60, 70)))
    expect(ids(takeInNewest(known, page(rows(1, 50))))).toHaveLength(50)
    expect(ids(takeInNewest(list(page(rows(1, 4))), page([row(2)], false)))).toEqual(['n2'])
  })

  it('shows older new posts when the page of their time has loaded [LOOP-02]', () => {
    const posts = [row(2, { id: 'recent' }), row(30, { id: 'older' })]
    const first = { ...page(rows(1, 4)), newPosts: posts }
    expect(listOf({ pages: [first] }, true).map(({ id }) => id)).toEqual(['n1', 'n2', 'recent', 'n3', 'n4'])
    expect(listOf({ pages: [first] }, false).map(({ id }) => id)).toContain('older')
  })
})

it('groups only notifications of which there are many, of one type, read or unread [LOOP-17]', () => {
  const tips = (count: number, more: Partial<Notification> = {}) =>
    Array.from({ length: count }, (_, n) => row(n, { id: `t${n}${more.is_read}`, type: 'tip', ...more }))
  const shape = (list: Notification[]) => runsOf(list).map(({ rest }) => rest.length)
  expect(shape(tips(3))).toEqual([0, 0, 0])
  expect(shape(tips(4))).toEqual([3])
  expect(shape([...tips(4, { is_read: false }), ...tips(4, { is_read: true })])).toEqual([3, 3])
  expect(shape(rows(1, 5))).toEqual([0, 0, 0, 0, 0])
})
