import { useInfiniteQuery } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { bringIntoSight } from '../../testing/browser.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderPart, renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { PostList } from './post-list.tsx'
import type { Post } from './queries.ts'

const locked = (over: Partial<Post> = {}) =>
  buildPost({
    post_type: 'subscription',
    required_tier_id: 'plan-1',
    is_locked: true,
    media_types: ['image', 'image'],
    media_previews: [{}, {}],
    ...over,
  })
const unlock = (post: Post, over = {}) => ({
  post_id: post.id,
  plan_id: 'plan-1',
  plan_name: 'A seat at the table',
  price_cents: 500,
  interval: 'month',
  trial_days: 0,
  more_posts: 12,
  is_subscribed: false,
  ...over,
})

/** The viewer's feed, and what unlocks its posts. @returns the requests for the latter. */
function serve(posts: Post[], unlocks: object[]) {
  signIn()
  const asked: (string | null)[] = []
  network.use(
    answer('rpc/get_feed', posts as never),
    answer('post_likes', []),
    answer('bookmarks', []),
    http.get('*/rest/v1/rpc/get_unlocks', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('post_ids'))
      return HttpResponse.json(unlocks)
    }),
  )
  return asked
}

it('says what unlocks a post, for how much, and what else comes with it [LOOP-14]', async () => {
  const post = locked()
  serve([post], [unlock(post)])
  const bought: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-subscription-checkout', async ({ request }) => {
      bought.push(await request.json())
      return HttpResponse.json({ error: 'Not now' }, { status: 409 })
    }),
  )
  renderRoute('/')
  const card = within(await screen.findByRole('article'))
  expect(await card.findByText('Unlock with A seat at the table')).toBeVisible()
  expect(card.getByText('$5.00 / month')).toBeVisible()
  expect(card.getByText('2 photos and 12 more posts')).toBeVisible()
  await userEvent.click(card.getByRole('button', { name: 'Subscribe' }))
  await waitFor(() => expect(bought).toEqual([{ productId: 'plan-1' }]))
})

it.each([
  [{ trial_days: 7 }, '7 days free, then $5.00 / month'],
  [{ more_posts: 1 }, '2 photos and 1 more post'],
  [{ more_posts: 100 }, '2 photos and 100+ more posts'],
  [{ more_posts: 0 }, '2 photos'],
])('words an offer with %j [LOOP-14]', async (over, words) => {
  const post = locked()
  serve([post], [unlock(post, over)])
  renderRoute('/')
  expect(await screen.findByText(words)).toBeVisible()
})

it('counts more posts beside one without files [LOOP-14]', async () => {
  const post = locked({ media_types: [], media_previews: [] })
  serve([post], [unlock(post)])
  renderRoute('/')
  expect(await screen.findByText('This post and 12 more posts')).toBeVisible()
})

it('makes the offer once per run of locked posts, in one request [LOOP-14, POST-10]', async () => {
  const posts = [locked(), locked()]
  const asked = serve(
    posts,
    posts.map((post) => unlock(post)),
  )
  renderRoute('/')
  expect(await screen.findByText('Unlock with A seat at the table')).toBeVisible()
  const [first, second] = screen.getAllByRole('article').map((card) => within(card))
  expect(first?.getByText('Unlock with A seat at the table')).toBeVisible()
  // The other can still be unlocked, and says what it holds.
  expect(second?.queryByText(/^Unlock with/)).not.toBeInTheDocument()
  expect(second?.getByRole('button', { name: 'Subscribe' })).toBeVisible()
  expect(second?.getByText('2 photos')).toBeVisible()
  expect(asked).toEqual([`{${posts.map(({ id }) => id).join()}}`])
})

it('does not repeat the offer on the next page, whose run began before a pay-per-view post [LOOP-14]', async () => {
  const sale = buildPost({ post_type: 'ppv', ppv_price: 700, is_locked: true })
  const pages = [[locked(), sale], [locked()]]
  serve(
    [],
    pages.flat().map((post) => unlock(post)),
  )
  function TwoPages() {
    const posts = useInfiniteQuery({
      queryKey: ['two pages'],
      queryFn: ({ pageParam }) => pages[pageParam] ?? [],
      initialPageParam: 0,
      getNextPageParam: (_page, known) => (known.length < pages.length ? known.length : undefined),
    })
    return <PostList posts={posts} empty={null} />
  }
  renderPart(<TwoPages />)
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  const end = await screen.findByText("You're all caught up.")
  act(() => bringIntoSight(end.previousElementSibling?.firstElementChild as Element))
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3))
  const [first, , third] = screen.getAllByRole('article').map((card) => within(card))
  expect(await first?.findByText('Unlock with A seat at the table')).toBeVisible()
  expect(third?.getByRole('button', { name: 'Subscribe' })).toBeVisible()
  expect(third?.queryByText(/^Unlock with/)).not.toBeInTheDocument()
})

it('leads a subscriber of another plan to the plans, where they switch [LOOP-14, SUB-04]', async () => {
  const post = locked()
  serve([post], [unlock(post, { is_subscribed: true })])
  renderRoute('/')
  expect(await screen.findByRole('link', { name: 'Change plan' })).toHaveAttribute(
    'href',
    `/profile/${noor.username}?tab=subscribe`,
  )
  expect(screen.queryByRole('button', { name: 'Subscribe' })).not.toBeInTheDocument()
})

it('names the creator where no plan is known, also when that fails [LOOP-14, POST-10]', async () => {
  const post = locked()
  serve([post], [])
  network.use(fail('rpc/get_unlocks'))
  renderRoute('/')
  expect(await screen.findByText('Subscribe to Noor Haddad to see this post')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Subscribe' })).toBeVisible()
})

it('shows the free cover instead of a blurred preview, before the post is paid for [LOOP-14]', async () => {
  const post = locked({ cover_path: 'u1/1.webp', media_previews: [{ preview: 'm5uGQQYQhngXd3h3d3d3d3d3d3d3' }, {}] })
  const sale = buildPost({ post_type: 'ppv', ppv_price: 700, is_locked: true, cover_path: 'u1/2.webp' })
  serve([post, sale], [unlock(post)])
  renderRoute('/')
  const cards = await screen.findAllByRole('article')
  const sources = cards.map((card) => [...card.querySelectorAll('img')].map((image) => image.getAttribute('src')))
  expect(sources).toEqual([
    ['/storage/v1/render/image/public/covers/u1/1.webp?width=1280'],
    ['/storage/v1/render/image/public/covers/u1/2.webp?width=1280'],
  ])
  expect(document.querySelector('[data-blurred-preview]')).toBeNull()
  expect(screen.getByText('Unlock this post for $7.00')).toBeVisible()
})

it('lets the author change the cover of a published post [LOOP-14]', async () => {
  signIn({ is_creator: true, is_verified: true })
  const post = locked({
    is_locked: false,
    creator_id: viewerProfile.id,
    cover_path: 'u1/1.webp',
    media_types: [],
    media_previews: [],
  })
  const changes: unknown[] = []
  network.use(
    http.patch('*/rest/v1/posts', async ({ request }) => {
      changes.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
    answer('posts', [post as never]),
    answer('comments', []),
    answer('post_likes', []),
    answer('bookmarks', []),
    http.post('*/storage/v1/object/covers/*', () => HttpResponse.json({ Key: 'k' })),
  )
  renderRoute(`/post/${post.id}`)
  await userEvent.click(await screen.findByRole('button', { name: /^More options/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
  await userEvent.upload(dialog.getByLabelText('Free cover'), new File(['x'], 'new.png', { type: 'image/png' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Post saved')).toBeVisible()
  const path = expect.stringMatching(new RegExp(`^${viewerProfile.user_id}/\\d+\\.png$`))
  expect(changes).toEqual([{ title: null, content: 'Some words', cover_path: path }])
})

it('leads a visitor who has paid from a post’s own page to sign in, and back [LOOP-14, D35]', async () => {
  const post = buildPost({ content: 'For sale', post_type: 'ppv', ppv_price: 500, is_locked: true })
  network.use(answer('posts', [post as never]), answer('comments', []), answer('rpc/get_unlocks', []))
  renderRoute(`/post/${post.id}`)
  expect(await screen.findByText('Already have access?')).toBeVisible()
  const link = screen.getByRole('link', { name: 'Sign in' })
  expect(link).toHaveAttribute('href', `/auth?tab=sign-in&next=${encodeURIComponent(`/post/${post.id}`)}`)
})
