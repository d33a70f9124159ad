import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { Post } from '../../domain/posts/queries.ts'
import { bringIntoSight } from '../../testing/browser.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const feed = (...posts: Post[]) => network.use(answer('rpc/get_feed', posts))
/** Collects what is written to a table, and lets it happen. */
function written(table: string): string[] {
  const sent: string[] = []
  network.use(
    http.post(`*/rest/v1/${table}`, async ({ request }) => {
      sent.push(JSON.stringify(await request.json()))
      return new HttpResponse(null, { status: 201 })
    }),
    http.delete(`*/rest/v1/${table}`, ({ request }) => {
      sent.push(new URL(request.url).search)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  return sent
}
const enabled = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button).toBeEnabled())
  return button
}

it('likes at once and tells the server, then takes the heart back [POST-04]', async () => {
  signIn()
  const post = buildPost({ likes_count: 1 })
  feed(post)
  const sent = written('post_likes')
  renderRoute('/')
  const heart = await enabled('Like, 1 like')
  expect(heart).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(heart)
  expect(heart).toHaveAttribute('aria-pressed', 'true')
  expect(heart).toHaveAccessibleName('Like, 2 likes')
  await userEvent.click(heart)
  expect(heart).toHaveAccessibleName('Like, 1 like')
  expect(heart).toHaveAttribute('aria-pressed', 'false')
  await waitFor(() =>
    expect(sent).toEqual([
      JSON.stringify({ post_id: post.id, user_id: viewerProfile.id }),
      `?post_id=eq.${post.id}&user_id=eq.${viewerProfile.id}`,
    ]),
  )
})

it('asks once for the hearts of a page, and shows the one that is mine [POST-04]', async () => {
  signIn()
  const mine = buildPost({ content: 'Mine', likes_count: 3 })
  const other = buildPost({ content: 'Not mine', likes_count: 8 })
  feed(mine, other)
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/post_likes', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('post_id'))
      return HttpResponse.json([{ post_id: mine.id }])
    }),
  )
  renderRoute('/')
  expect(await enabled('Like, 3 likes')).toHaveAttribute('aria-pressed', 'true')
  expect(await enabled('Like, 8 likes')).toHaveAttribute('aria-pressed', 'false')
  expect(asked).toEqual([`in.(${mine.id},${other.id})`])
})

it('takes a like back when the server refuses it, and says so [POST-04]', async () => {
  signIn()
  feed(buildPost({ likes_count: 5 }))
  network.use(http.post('*/rest/v1/post_likes', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
  renderRoute('/')
  await userEvent.click(await enabled('Like, 5 likes'))
  expect(await screen.findByText("Couldn't save your like")).toBeVisible()
  expect(screen.getByRole('button', { name: 'Like, 5 likes' })).toHaveAttribute('aria-pressed', 'false')
})

it('counts a like that another window has made already as made [POST-04]', async () => {
  signIn()
  feed(buildPost())
  network.use(
    http.post('*/rest/v1/post_likes', () =>
      HttpResponse.json({ code: '23505', message: 'duplicate key' }, { status: 409 }),
    ),
  )
  renderRoute('/')
  const heart = await enabled('Like, 0 likes')
  await userEvent.click(heart)
  await waitFor(() => expect(heart).toHaveAttribute('aria-pressed', 'true'))
  expect(screen.queryByText("Couldn't save your like")).not.toBeInTheDocument()
})

it('asks a visitor to sign in before liking, and comes back afterwards [GEN-40]', async () => {
  const post = buildPost()
  network.use(answer('posts', [post]), answer('comments', []))
  const { router } = renderRoute(`/post/${post.id}`)
  await userEvent.click(await enabled('Like, 0 likes'))
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Join to like a post by Noor Haddad')
  expect(router.state.location.search).toBe(
    `?${new URLSearchParams({ next: `/post/${post.id}?continue=like%3A${post.id}` })}`,
  )
})

it('offers neither heart nor comments on what is locked, and keeps it for later all the same [POST-10]', async () => {
  signIn()
  feed(buildPost({ post_type: 'subscription', required_tier_id: 'plan-1', is_locked: true, likes_count: 4 }))
  renderRoute('/')
  expect(await enabled('Save')).toBeVisible()
  expect(screen.getByText('4 likes')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^(Like|Comments)/ })).not.toBeInTheDocument()
})

it('saves a post and lets it go again [DATA-37]', async () => {
  signIn()
  const post = buildPost()
  feed(post)
  const sent = written('bookmarks')
  renderRoute('/')
  const button = await enabled('Save')
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'false')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]).toBe(JSON.stringify({ post_id: post.id, user_id: viewerProfile.id }))
})

it('says so when a post could not be saved [DATA-37]', async () => {
  signIn()
  feed(buildPost())
  network.use(http.post('*/rest/v1/bookmarks', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
  renderRoute('/')
  await userEvent.click(await enabled('Save'))
  expect(await screen.findByText("Couldn't save this post")).toBeVisible()
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-pressed', 'false')
})

/** Answers the list of saved posts, and the question which posts of a page are saved. */
function saved(...posts: Post[]) {
  network.use(
    http.get('*/rest/v1/bookmarks', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.has('post_id')
          ? posts.map((post) => ({ post_id: post.id }))
          : posts.map((post) => ({ created_at: '2024-06-01T00:00:00Z', post })),
      ),
    ),
  )
}

it('lists what was saved, and keeps it in sight when it is let go, so that it can be taken back [DATA-37]', async () => {
  signIn()
  saved(buildPost({ content: 'Worth keeping' }))
  written('bookmarks')
  renderRoute('/saved')
  const post = (await screen.findByText('Worth keeping')).closest('article') as HTMLElement
  const button = within(post).getByRole('button', { name: 'Save' })
  await waitFor(() => expect(button).toHaveAttribute('aria-pressed', 'true'))
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'false')
  expect(screen.getByText('Worth keeping')).toBeVisible()
})

it('says that nothing is saved yet, and how to save [DATA-37]', async () => {
  signIn()
  renderRoute('/saved')
  expect(await screen.findByRole('heading', { name: 'Nothing saved yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Explore all creators' })).toHaveAttribute('href', '/explore')
})

it('recovers when the saved posts could not be loaded and the viewer retries [DATA-37]', async () => {
  signIn()
  network.use(fail('bookmarks'))
  renderRoute('/saved')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText("Couldn't load your saved posts")).toBeVisible()
  saved(buildPost({ content: 'Back again' }))
  await userEvent.click(retry)
  expect(await screen.findByText('Back again')).toBeVisible()
})

it('sends a visitor to sign in before showing what was saved [GEN-37]', async () => {
  const { router } = renderRoute('/saved')
  await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/auth?next=%2Fsaved'))
})

it('leaves the hearts of a page that is still asked about in peace, whatever is liked above [POST-04]', async () => {
  signIn()
  const first = Array.from({ length: 20 }, () => buildPost())
  const older = buildPost({ likes_count: 7 })
  let answerOlder = () => {}
  const waiting = new Promise<void>((resolve) => {
    answerOlder = resolve
  })
  network.use(
    http.get('*/rest/v1/rpc/get_feed', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('before') ? [older] : first),
    ),
    http.get('*/rest/v1/post_likes', async ({ request }) => {
      if (request.url.includes(older.id)) await waiting
      return HttpResponse.json([])
    }),
  )
  written('post_likes')
  renderRoute('/')
  const [above] = await screen.findAllByRole('button', { name: 'Like, 0 likes' })
  await waitFor(() => expect(above).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
  const end = await screen.findByText("You're all caught up.")
  act(() => bringIntoSight(end.previousElementSibling?.firstElementChild as Element))
  expect(await screen.findByRole('button', { name: 'Like, 7 likes' })).toBeDisabled()
  await userEvent.click(above as HTMLElement)
  await waitFor(() => expect(above).toHaveAccessibleName('Like, 1 like'))
  answerOlder()
  await enabled('Like, 7 likes')
})
