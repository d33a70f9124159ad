import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { bringIntoSight } from '../../testing/browser.ts'
import { plan as monthly } from '../../testing/composer.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildCreator, buildPost, buildProfile, noor } from '../../testing/rows.ts'
import { giveShareSheet } from '../../testing/share-sheet.ts'
import { signFiles } from '../../testing/sign-files.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const feed = (...posts: ReturnType<typeof buildPost>[]) => network.use(answer('rpc/get_feed', posts))
const card = async (name: string | RegExp) => (await screen.findByText(name)).closest('article') as HTMLElement

it('sends a signed-out visitor to sign in [HOME-02, GEN-37]', async () => {
  const { router } = renderRoute('/')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it('shows posts in the order of the server, with creator, name, mark, handle and date [HOME-01, HOME-04]', async () => {
  signIn()
  feed(buildPost({ content: 'Newer' }), buildPost({ content: 'Older' }))
  renderRoute('/')
  const newer = await card('Newer')
  expect(within(newer).getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(within(newer).getByRole('img', { name: 'Verified' })).toBeVisible()
  expect(within(newer).getByText('@noor')).toBeVisible()
  expect(within(newer).getByText('May 4, 2024')).toHaveAttribute('title', expect.stringContaining('2024 at'))
  expect(screen.getAllByRole('article').map((one) => one.textContent?.includes('Newer'))).toEqual([true, false])
})

it.each([
  ['Noor Haddad', 'Noor Haddad'],
  [null, 'noor'],
])('shows the avatar, name, mark, handle, and date of a creator named %s: %s [POST-01]', async (display_name, name) => {
  signIn()
  const avatar_url = 'https://ovation.example/storage/v1/object/public/avatars/noor/face.webp'
  feed(buildPost({ content: 'Newer', creator: { ...noor, display_name, avatar_url } }))
  renderRoute('/')
  const post = await card('Newer')
  expect(within(post).getByRole('link', { name })).toBeVisible()
  expect(post.querySelector('img')?.src).toContain('/avatars/noor/face.webp')
  expect(within(post).getByRole('img', { name: 'Verified' })).toBeVisible()
  expect(within(post).getByText('@noor')).toBeVisible()
  expect(within(post).getByText('May 4, 2024')).toBeVisible()
})

it('shows content and media, or a locked placeholder with Subscribe or Purchase [POST-03]', async () => {
  signIn()
  signFiles()
  feed(
    buildPost({ content: 'Open', media_urls: ['u/1.jpg'], media_types: ['image'] }),
    buildPost({ content: 'For fans', post_type: 'subscription', required_tier_id: 'plan-1', is_locked: true }),
  )
  renderRoute('/')
  const open = within(await card('Open'))
  expect(await open.findByRole('img', { name: 'Photo by Noor Haddad' })).toBeVisible()
  for (const name of ['Subscribe', 'Purchase']) expect(open.queryByRole('button', { name })).not.toBeInTheDocument()
  expect(within(await card(/^For fans/)).getByRole('button', { name: 'Subscribe' })).toBeEnabled()
  expect(screen.getAllByRole('img', { name: /^Photo/ })).toHaveLength(1)
  cleanup()
  feed(buildPost({ content: 'For sale', post_type: 'ppv', ppv_price: 500, is_locked: true }))
  renderRoute('/')
  expect(within(await card(/^For sale/)).getByRole('button', { name: 'Purchase' })).toBeEnabled()
  expect(screen.queryByRole('img', { name: /^Photo/ })).not.toBeInTheDocument()
})

it('shows the counts of likes and comments [POST-04, POST-05]', async () => {
  signIn()
  feed(buildPost({ likes_count: 12_345, comments_count: 7 }))
  renderRoute('/')
  const post = await card('Some words')
  expect(within(post).getByRole('button', { name: 'Like, 12,345 likes' })).toBeVisible()
  expect(within(post).getByText('12.3K')).toBeVisible()
  expect(within(post).getByRole('button', { name: 'Comments, 7 comments' })).toBeVisible()
})

it('shows a locked post as its first words, what waits behind, and Subscribe [POST-03, POST-09, POST-10, POST-11]', async () => {
  signIn()
  feed(
    buildPost({
      content: 'x'.repeat(100),
      post_type: 'subscription',
      required_tier_id: 'plan-1',
      is_locked: true,
      media_types: ['image', 'image', 'video'],
    }),
  )
  renderRoute('/')
  const post = await card(`${'x'.repeat(100)}…`)
  expect(within(post).getByText('Subscriber Only')).toBeVisible()
  expect(within(post).getByText('2 photos, 1 video')).toBeVisible()
  expect(within(post).getByText('Subscribe to Noor Haddad to see this post')).toBeVisible()
  expect(within(post).getByRole('button', { name: 'Subscribe' })).toBeEnabled()
  expect(post.querySelectorAll('video, img')).toHaveLength(0)
})

it('does not promise more words where all of them may be read [POST-11]', async () => {
  signIn()
  feed(buildPost({ content: 'Only the photo is sold.', post_type: 'ppv', ppv_price: 500, is_locked: true }))
  renderRoute('/')
  expect(await screen.findByText('Only the photo is sold.')).toBeVisible()
})

it('names the price of a pay-per-view post, and marks a pinned one [POST-02, POST-08]', async () => {
  signIn()
  feed(buildPost({ post_type: 'ppv', ppv_price: 1250, is_locked: true, is_pinned: true }))
  renderRoute('/')
  expect(await screen.findByText('Pay-per-view · $12.50')).toBeVisible()
  expect(screen.getByText('Unlock this post for $12.50')).toBeVisible()
  expect(screen.getByText('Pinned')).toBeVisible()
})

it('shows a buyer that they own a post, instead of its price [POST-45]', async () => {
  signIn()
  feed(buildPost({ content: 'Whole, to its end', post_type: 'ppv', ppv_price: 1250, is_locked: false }))
  renderRoute('/')
  const post = await card('Whole, to its end')
  expect(within(post).getByText('Purchased')).toBeVisible()
  expect(within(post).queryByText('Pay-per-view · $12.50')).not.toBeInTheDocument()
})

it.each([
  [409, { error: "This creator can't take payments right now" }, "This creator can't take payments right now"],
  [200, {}, 'No checkout URL received from server'],
])('says why a response of %i opens no checkout [SUB-02]', async (status, body, reason) => {
  signIn()
  feed(buildPost({ post_type: 'subscription', required_tier_id: 'plan-1', is_locked: true }))
  const asked: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-subscription-checkout', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(body, { status })
    }),
  )
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }))
  expect(await screen.findByText('Subscription Error')).toBeVisible()
  expect(screen.getByText(reason)).toBeVisible()
  expect(asked).toEqual([{ productId: 'plan-1' }])
})

it('signs the media of a page in one request, and says what is not available [POST-03, POST-14, POST-47]', async () => {
  signIn()
  const asked = signFiles()
  feed(
    buildPost({ media_urls: ['u/1.jpg'], media_types: ['image'] }),
    buildPost({ media_urls: ['u/gone.jpg'], media_types: ['image'] }),
  )
  renderRoute('/')
  const photo = await screen.findByRole('img', { name: 'Photo by Noor Haddad' })
  expect(photo).toHaveAttribute('src', expect.stringMatching(/\/storage\/v1\/object\/sign\/posts\/u\/1\.jpg\?token=t$/))
  expect(screen.getByRole('img', { name: 'Image Not Available' })).toBeVisible()
  fireEvent.error(photo)
  expect(screen.getAllByRole('img', { name: 'Image Not Available' })).toHaveLength(2)
  expect(asked).toEqual([['u/1.jpg', 'u/gone.jpg']])
})

it('opens the gallery on the picture that was pressed [POST-15]', async () => {
  signIn()
  signFiles()
  feed(buildPost({ media_urls: ['u/1.jpg', 'u/2.jpg'], media_types: ['image', 'image'] }))
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Open photo 2 of 2' }))
  expect(await screen.findByText('2 / 2')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByText('2 / 2')).not.toBeInTheDocument())
})

it('counts, turns by key, closes by Escape, and gives the focus back to the picture [POST-15]', async () => {
  signIn()
  signFiles()
  feed(buildPost({ media_urls: ['u/1.jpg', 'u/2.mp4', 'u/gone.jpg'], media_types: ['image', 'video', 'image'] }))
  renderRoute('/')
  const picture = await screen.findByRole('button', { name: 'Open photo 1 of 3' })
  picture.focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('1 / 3')).toBeInTheDocument()
  const lightbox = screen.getByRole('dialog', { name: 'Gallery' })
  await waitFor(() => expect(lightbox).toContainElement(document.activeElement as HTMLElement))
  await userEvent.keyboard('{ArrowRight}')
  expect(await screen.findByText('2 / 3')).toBeInTheDocument()
  // As in a card: one player.
  expect(within(lightbox).getByLabelText('Video by Noor Haddad')).toBeVisible()
  expect(within(lightbox).getByRole('button', { name: 'Play: Video by Noor Haddad' })).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  expect(await screen.findByText('3 / 3')).toBeInTheDocument()
  expect(within(lightbox).getByRole('img', { name: 'Image Not Available' })).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(picture).toHaveFocus()
})

it('shows a video in the player, with a button that plays it [POST-16, LOOP-12]', async () => {
  signIn()
  signFiles()
  feed(buildPost({ media_urls: ['u/1.mp4'], media_types: ['video'] }))
  renderRoute('/')
  const video = await screen.findByLabelText('Video by Noor Haddad')
  expect(screen.getByRole('button', { name: 'Play: Video by Noor Haddad' })).toBeVisible()
  expect(video).toHaveAttribute('src', expect.stringContaining('u/1.mp4'))
})

it('loads older posts from where the page ended [HOME-05]', async () => {
  signIn()
  const first = Array.from({ length: 20 }, (_, index) => buildPost({ content: `Post ${index}` }))
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_feed', ({ request }) => {
      const parameters = new URL(request.url).searchParams
      asked.push(parameters.get('before_id'))
      return HttpResponse.json(parameters.has('before') ? [buildPost({ content: 'Much older' })] : first)
    }),
  )
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  const end = await screen.findByText("You're all caught up.")
  expect(asked).toEqual([null, first.at(-1)?.id])
  // What is far below takes its place first, and comes with the scrolling.
  expect(screen.queryByText('Much older')).not.toBeInTheDocument()
  act(() => bringIntoSight(end.previousElementSibling?.firstElementChild as Element))
  expect(await screen.findByText('Much older')).toBeVisible()
})

it('knows that there is more after a post of a full page was deleted [HOME-05, POST-53]', async () => {
  signIn({ is_verified: true })
  const own = buildPost({ content: 'Mine', creator_id: viewerProfile.id, creator: { ...noor, id: viewerProfile.id } })
  const rest = Array.from({ length: 20 }, (_, index) => buildPost({ content: `Post ${index}` }))
  let all = [own, ...rest]
  network.use(
    http.get('*/rest/v1/rpc/get_feed', () => HttpResponse.json(all.slice(0, 20))),
    http.delete('*/rest/v1/posts', () => {
      all = rest
      return new HttpResponse(null, { status: 204, headers: { 'content-range': '*/1' } })
    }),
  )
  renderRoute('/')
  expect(await screen.findByRole('button', { name: 'Load more' })).toBeVisible()
  const dialog = await pressDelete()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('Mine')).not.toBeInTheDocument())
  expect(await screen.findByRole('button', { name: 'Load more' })).toBeVisible()
})

it('suggests creators when the feed is empty [HOME-06]', async () => {
  signIn()
  feed()
  network.use(answer('rpc/suggest_creators', [buildCreator()]))
  renderRoute('/')
  expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
})

it('offers to unblock among the suggestions whom one has blocked [HOME-06, D39]', async () => {
  signIn()
  feed()
  const creator = buildCreator()
  network.use(
    answer('rpc/suggest_creators', [creator]),
    answer('follows', []),
    answer('blocks', [{ blocked_id: creator.id }]),
  )
  renderRoute('/')
  expect(await screen.findByRole('button', { name: 'Unblock Noor Haddad' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Follow Noor Haddad' })).not.toBeInTheDocument()
})

it('follows from the suggestions, which stay until the viewer asks for the feed [HOME-06, PROF-19]', async () => {
  signIn()
  const creators = [buildCreator(), buildCreator({ username: 'ida', display_name: 'Ida Wells' })]
  const followed: string[] = []
  network.use(
    answer('rpc/suggest_creators', creators),
    http.post('*/rest/v1/follows', async ({ request }) => {
      followed.push(((await request.json()) as { following_id: string }).following_id)
      return new HttpResponse(null, { status: 201 })
    }),
    http.get('*/rest/v1/rpc/get_feed', () =>
      HttpResponse.json(followed.length > 0 ? [buildPost({ content: 'From whom I follow' })] : []),
    ),
  )
  renderRoute('/')
  const follow = await screen.findByRole('button', { name: 'Follow Noor Haddad' })
  expect(screen.queryByRole('button', { name: 'Show my feed' })).not.toBeInTheDocument()
  await waitFor(() => expect(follow).toBeEnabled())
  await userEvent.click(follow)
  const show = await screen.findByRole('button', { name: 'Show my feed' })
  await waitFor(() => expect(screen.getByRole('button', { name: 'Following Noor Haddad' })).toBeEnabled())
  await userEvent.click(screen.getByRole('button', { name: 'Follow Ida Wells' }))
  await waitFor(() => expect(followed).toEqual(creators.map(({ id }) => id)))
  await userEvent.click(show)
  expect(await screen.findByText('From whom I follow')).toBeVisible()
})

it('recovers when loading fails and the viewer retries', async () => {
  signIn()
  network.use(fail('rpc/get_feed'))
  renderRoute('/')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  feed(buildPost({ content: 'Back again' }))
  await userEvent.click(retry)
  expect(await screen.findByText('Back again')).toBeVisible()
})

it('offers Create Post to those who may publish [HOME-03]', async () => {
  signIn({ is_verified: true })
  feed(buildPost())
  network.use(answer('subscription_products', []))
  renderRoute('/')
  const create = await screen.findByRole('button', { name: 'Create Post' })
  const [first] = await screen.findAllByRole('article')
  expect(create.compareDocumentPosition(first as HTMLElement)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  await userEvent.click(create)
  expect(await screen.findByRole('dialog', { name: 'Create Post' })).toBeVisible()
})

it('offers a fan the way to become a creator instead [HOME-03]', async () => {
  signIn()
  feed(buildPost())
  renderRoute('/')
  expect(await screen.findByRole('link', { name: 'Become a creator' })).toHaveAttribute('href', '/creator-verification')
  expect(screen.queryByRole('button', { name: 'Create Post' })).not.toBeInTheDocument()
})

/** A feed with one own post; `count` is how many rows the server says it deleted. */
function ownPost(count: number, status = 204) {
  signIn({ is_verified: true })
  feed(buildPost({ content: 'My words', creator_id: viewerProfile.id, creator: { ...noor, id: viewerProfile.id } }))
  network.use(
    http.delete(
      '*/rest/v1/posts',
      () => new HttpResponse(null, { status, headers: { 'content-range': `*/${count}` } }),
    ),
  )
}
const openMenu = async () =>
  userEvent.click((await screen.findAllByRole('button', { name: /^More options for .+ post$/ }))[0] as HTMLElement)
const pressDelete = async () => {
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this post?' })
  expect(within(dialog).getByText(/can't be undone/)).toBeVisible()
  return dialog
}

it('deletes an own post after asking [POST-07, POST-52, POST-53]', async () => {
  ownPost(1)
  renderRoute('/')
  const dialog = await pressDelete()
  feed()
  network.use(answer('rpc/suggest_creators', []))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Post deleted')).toBeVisible()
  await waitFor(() => expect(screen.queryByText('My words')).not.toBeInTheDocument())
})

it('keeps the post when the viewer cancels [POST-52]', async () => {
  ownPost(1)
  renderRoute('/')
  const dialog = await pressDelete()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByText('My words')).toBeVisible()
})

it('says so when nothing was deleted, and keeps the post [POST-53, POST-55]', async () => {
  ownPost(0)
  renderRoute('/')
  const dialog = await pressDelete()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete post')).toBeVisible()
  expect(screen.getByText('My words')).toBeVisible()
})

it('offers Delete on the posts of others to admins only [POST-07, POST-54]', async () => {
  signIn()
  feed(buildPost())
  renderRoute('/')
  await openMenu()
  expect(await screen.findByRole('menuitem', { name: 'Report post' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument()
})

it('deletes a post of another for an admin, with the reason [POST-54]', async () => {
  ownPost(1)
  signIn({ role: 'admin' })
  feed(buildPost({ content: 'Bad words' }))
  const asked: unknown[] = []
  network.use(
    answer('rpc/suggest_creators', []),
    http.post('*/rest/v1/rpc/take_down', async ({ request }) => {
      asked.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/')
  const dialog = await pressDelete()
  await userEvent.type(within(dialog).getByLabelText(/Reason/), 'Insults')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Post deleted for policy violation')).toBeVisible()
  expect(asked).toEqual([{ target_type: 'post', target_id: expect.any(String), reason: 'Insults' }])
})

it('copies the address of a post where there is no share sheet [POST-06]', async () => {
  const user = userEvent.setup()
  signIn()
  const post = buildPost()
  feed(post)
  renderRoute('/')
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText('Link copied')).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/post/${post.id}`)
})

it('shares by the device’s sheet where there is one; closing it is no failure [POST-06]', async () => {
  const share = vi.fn().mockRejectedValue(new DOMException('closed', 'AbortError'))
  giveShareSheet(share)
  signIn()
  const post = buildPost({ title: 'First light' })
  feed(post)
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Share' }))
  expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: `${window.location.origin}/post/${post.id}` }))
  expect(screen.queryByText('Link copied')).not.toBeInTheDocument()
})

it('shows an admin every post as it is [POST-49]', async () => {
  signIn({ role: 'admin' })
  feed(buildPost({ content: 'Whole, to its end', post_type: 'ppv', ppv_price: 500, is_locked: false }))
  renderRoute('/')
  const post = await card('Whole, to its end')
  expect(within(post).getByText('Pay-per-view · $5.00')).toBeVisible()
  expect(within(post).queryByRole('button', { name: 'Purchase' })).not.toBeInTheDocument()
  expect(within(post).queryByText('Purchased')).not.toBeInTheDocument()
})

it('shows a post at its own address, to visitors too [GEN-38]', async () => {
  const post = buildPost({ title: 'First light' })
  network.use(answer('posts', [post]), answer('comments', []))
  renderRoute(`/post/${post.id}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'First light' })).toBeVisible()
  await waitFor(() => expect(document.title).toBe('First light by Noor Haddad · Ovation'))
})

it("shows the creator's other posts below a post, but none that is locked", async () => {
  const [post, ...others] = ['First light', 'Harbor', 'Night train', 'Salt', 'Snow'].map((title) =>
    buildPost({ title, is_locked: title === 'Night train' }),
  )
  network.use(
    answer('comments', []),
    http.get('*/rest/v1/posts', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('id') ? [post] : [post, ...others]),
    ),
  )
  renderRoute(`/post/${post?.id}`)
  const further = within(await screen.findByRole('region', { name: 'More from Noor Haddad' }))
  expect(further.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/profile/noor',
    ...others.flatMap(({ id, is_locked }) => (is_locked ? [] : `/post/${id}`)),
  ])
})

it('says that a post is not here, whether it is gone or not for this viewer', async () => {
  network.use(answer('posts', []))
  renderRoute('/post/00000000-0000-4000-8000-00000000dead')
  expect(await screen.findByRole('heading', { name: 'Post not found' })).toBeVisible()
})

it('asks a visitor to sign in before subscribing, and comes back afterwards [GEN-40, SUB-03]', async () => {
  const planId = 'd0000000-0000-4000-8000-000000000001'
  const post = buildPost({ post_type: 'subscription', required_tier_id: planId, is_locked: true })
  const plan = { ...monthly, id: planId, name: 'Club' }
  network.use(answer('posts', [post]), answer('subscription_products', [{ ...plan, creator: buildProfile() }]))
  const { router } = renderRoute(`/post/${post.id}`)
  await userEvent.click(await screen.findByRole('button', { name: 'Subscribe' }))
  expect(await screen.findByText('Sign In Required')).toBeVisible()
  expect(router.state.location.pathname + router.state.location.search).toBe(
    `/auth?${new URLSearchParams({ next: `/post/${post.id}?continue=subscribe%3A${planId}` })}`,
  )
})
