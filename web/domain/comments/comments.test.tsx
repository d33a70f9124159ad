import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { drafts } from '../../lib/forms/draft.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import type { Comment } from './queries.ts'

const ada = {
  ...noor,
  id: viewerProfile.id,
  user_id: viewerProfile.user_id,
  username: 'ada',
  display_name: 'Ada Lovelace',
}
let count = 0
const buildComment = (over: Partial<Comment> = {}): Comment => ({
  id: `d0000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  content: 'What light!',
  created_at: '2024-05-04T12:00:00Z',
  parent_id: null,
  likes_count: 0,
  is_pinned: false,
  is_held: false,
  author: noor,
  replies: [],
  ...over,
})
const comments = (...rows: Comment[]) => network.use(answer('comments', rows))
/** Live updates of a post's comments also read their number; without a response the count stays. */
beforeEach(() => network.use(answer('posts', [])))

/** A feed with one post, its comments open. */
async function openComments(toggle = 'Comments, 2 comments') {
  network.use(answer('rpc/get_feed', [buildPost({ comments_count: 2 })]))
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: toggle }))
}
const refuse = (method: 'post' | 'delete') =>
  network.use(http[method]('*/rest/v1/comments', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
const box = () => screen.findByRole('textbox', { name: 'Add a comment' })

it('opens the comments with the toggle and closes them again [POST-05, POST-12]', async () => {
  signIn()
  comments(buildComment())
  await openComments()
  const toggle = screen.getByRole('button', { name: 'Comments, 2 comments' })
  expect(toggle).toHaveAttribute('aria-expanded', 'true')
  const section = await screen.findByRole('region', { name: 'Comments' })
  expect(await within(section).findByText('What light!')).toBeVisible()
  expect(within(section).getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  await userEvent.click(toggle)
  expect(toggle).toHaveAttribute('aria-expanded', 'false')
  expect(screen.queryByText('What light!')).not.toBeInTheDocument()
})

it("marks the comments of the post's author", async () => {
  signIn()
  comments(buildComment({ content: 'My own post' }), buildComment({ content: 'Of a fan', author: ada }))
  await openComments()
  const marks = (text: string) => within(screen.getByText(text).closest('li') as HTMLElement).queryByText('Creator')
  await screen.findByText('My own post')
  expect(marks('My own post')).toBeVisible()
  expect(marks('Of a fan')).not.toBeInTheDocument()
})

it('asks for the viewer’s own face at one address, wherever it stands [API-STO-04]', async () => {
  const avatar_url = `http://127.0.0.1/storage/v1/object/public/avatars/${viewerProfile.user_id}/face.jpg`
  const { updated_at } = signIn({ avatar_url })
  comments(buildComment({ author: { ...ada, avatar_url, updated_at } }))
  await openComments()
  await screen.findByText('What light!')
  // In the bar, beside the box, and beside the comment.
  const faces = [...document.querySelectorAll<HTMLImageElement>('img[src*="face.jpg"]')].map(({ src }) => src)
  expect(faces.length).toBeGreaterThanOrEqual(3)
  expect(new Set(faces).size).toBe(1)
})

/** Comments that load only when told to, and a server that takes what is posted when told to. */
async function openWhileLoading(inList: (posted: Comment) => Comment[]) {
  const [loaded, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const posted = buildComment({ content: 'Lovely.', author: ada })
  const sent: string[] = []
  network.use(
    http.get('*/rest/v1/comments', () => loaded.promise.then(() => HttpResponse.json(inList(posted)))),
    http.post('*/rest/v1/comments', async ({ request }) => {
      sent.push(((await request.json()) as { content: string }).content)
      await taken.promise
      return HttpResponse.json(posted, { status: 201 })
    }),
  )
  await openComments()
  return { load: loaded.resolve, take: taken.resolve, sent }
}
const isLoading = () => screen.queryByRole('status', { name: 'Loading…' })

it.each([
  ['before', []],
  ['after', ['posted']],
])(
  'posts a comment at once, and once, while those %s it load, with either key [POST-12, POST-56]',
  async (_when, own) => {
    signIn()
    const { load, take, sent } = await openWhileLoading((posted) => [...own.map(() => posted), buildComment()])
    const first = await box()
    await userEvent.type(first, 'Lovely.')
    await userEvent.keyboard(own.length ? '{Meta>}{Enter}{/Meta}' : '{Control>}{Enter}{/Control}')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Lovely.')).toBeVisible()
    expect(isLoading()).toBeInTheDocument()
    expect(first).toHaveValue('')
    take()
    load()
    expect(await screen.findByText('What light!')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Delete your comment' })).toBeVisible()
    expect(screen.getAllByText('Lovely.')).toHaveLength(1)
    expect(screen.getByRole('button', { name: 'Comments, 3 comments' })).toBeVisible()
    expect(await box()).toBe(first)
    expect(sent).toEqual(['Lovely.'])
  },
)

it('keeps a pending comment when the others load first [POST-56]', async () => {
  signIn()
  const { load, take } = await openWhileLoading(() => [buildComment()])
  await userEvent.type(await box(), 'Lovely.')
  await userEvent.click(screen.getByRole('button', { name: 'Post' }))
  load()
  expect(await screen.findByText('What light!')).toBeVisible()
  expect(screen.getByText('Lovely.')).toBeVisible()
  take()
  expect(await screen.findByRole('button', { name: 'Delete your comment' })).toBeVisible()
  expect(screen.getAllByText('Lovely.')).toHaveLength(1)
})

it('returns the text to the box when it is rejected while the others load [POST-60]', async () => {
  signIn()
  const { load } = await openWhileLoading(() => [])
  refuse('post')
  await userEvent.type(await box(), 'Lovely.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Failed to post comment')).toBeVisible()
  expect(await box()).toHaveValue('Lovely.')
  load()
  expect(await screen.findByText('No comments yet. Be the first.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Comments, 2 comments' })).toBeVisible()
})

it('posts a comment: shown at once, trimmed, counted, and confirmed to screen readers [POST-56, GEN-39]', async () => {
  signIn()
  comments(buildComment())
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/comments', async ({ request }) => {
      const row = (await request.json()) as { content: string }
      sent.push(row)
      return HttpResponse.json(buildComment({ content: row.content, author: ada }), { status: 201 })
    }),
  )
  await openComments()
  await userEvent.type(await box(), '  Lovely.  ')
  await userEvent.click(screen.getByRole('button', { name: 'Post' }))
  expect(screen.getAllByRole('listitem').map((item) => within(item).getByRole('link').textContent)).toEqual([
    'Ada Lovelace',
    'Noor Haddad',
  ])
  expect(await box()).toHaveValue('')
  expect(await screen.findByText('Comment posted')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Comments, 3 comments' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Delete your comment' })).toBeVisible()
  expect(sent).toEqual([{ post_id: expect.any(String), user_id: viewerProfile.id, content: 'Lovely.' }])
})

it('shows new comments of others under an open post live, and counts them [POST-12, POST-56]', async () => {
  signIn()
  comments(buildComment())
  await openComments()
  expect(await screen.findByText('What light!')).toBeVisible()
  await waitFor(() => expect(listensTo('comments')).toEqual([expect.stringMatching(/^post_id=eq\./)]))
  comments(buildComment({ content: 'And what a shadow!' }), buildComment())
  network.use(answer('posts', [{ comments_count: 3 }]))
  pushInsert('comments', { id: 'other' })
  expect(await screen.findByText('And what a shadow!')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Comments, 3 comments' })).toBeVisible()
})

it('keeps a pending comment when others comment at the same time [POST-56]', async () => {
  signIn()
  comments(buildComment())
  await openComments()
  await waitFor(() => expect(listensTo('comments')).toHaveLength(1))
  const sent = Promise.withResolvers<void>()
  network.use(
    http.post('*/rest/v1/comments', async () => {
      await sent.promise
      const mine = buildComment({ content: 'Mine', author: ada })
      comments(mine, buildComment({ content: 'Theirs' }), buildComment())
      return HttpResponse.json(mine, { status: 201 })
    }),
    answer('posts', [{ comments_count: 4 }]),
  )
  await userEvent.type(await box(), 'Mine')
  await userEvent.click(screen.getByRole('button', { name: 'Post' }))
  comments(buildComment({ content: 'Theirs' }), buildComment())
  pushInsert('comments', { id: 'other' })
  // Comments of others are read after the viewer's own has arrived; before, the own one would be missing.
  expect(await screen.findByText('Mine')).toBeVisible()
  expect(screen.queryByText('Theirs')).not.toBeInTheDocument()
  sent.resolve()
  expect(await screen.findByText('Theirs')).toBeVisible()
  expect(screen.getByText('Mine')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Comments, 4 comments' })).toBeVisible()
})

it('posts no blank comment, by button or by key [POST-56]', async () => {
  signIn()
  comments()
  await openComments()
  await userEvent.type(await box(), '   ')
  expect(screen.getByRole('button', { name: 'Post' })).toBeDisabled()
  // A request would find no handler for its answer: the list's own one gives none.
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await box()).toHaveValue('   ')
  expect(screen.queryByRole('listitem')).not.toBeInTheDocument()
})

it('removes a comment that the server rejects, and returns the text to the box [POST-60]', async () => {
  signIn()
  comments()
  refuse('post')
  await openComments()
  await userEvent.type(await box(), 'Lovely.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Failed to post comment')).toBeVisible()
  expect(await box()).toHaveValue('Lovely.')
  expect(screen.queryByRole('listitem')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Comments, 2 comments' })).toBeVisible()
})

/** Presses Delete on the only comment that can be deleted; `deleted` is how many rows the server says it deleted. */
async function pressDelete(name: string, deleted = 1) {
  network.use(
    http.delete(
      '*/rest/v1/comments',
      () => new HttpResponse(null, { status: 204, headers: { 'content-range': `*/${deleted}` } }),
    ),
  )
  await openComments()
  await userEvent.click(await screen.findByRole('button', { name }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete this comment?' })
  expect(within(dialog).getByText(/can't be undone/)).toBeVisible()
  return dialog
}

it('deletes an own comment after asking, and leaves those of others alone [POST-57, POST-59]', async () => {
  signIn()
  comments(buildComment({ content: 'Mine', author: ada }), buildComment({ content: 'Hers' }))
  const dialog = await pressDelete('Delete your comment')
  expect(screen.queryByRole('button', { name: "Delete Noor Haddad's comment" })).not.toBeInTheDocument()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Comment deleted')).toBeVisible()
  expect(screen.queryByText('Mine')).not.toBeInTheDocument()
  expect(screen.getByText('Hers')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Comments, 1 comment' })).toBeVisible()
})

it('keeps the comment when the viewer cancels [POST-59]', async () => {
  signIn()
  comments(buildComment({ content: 'Mine', author: ada }))
  const dialog = await pressDelete('Delete your comment')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByText('Mine')).toBeVisible()
})

it('lets an admin delete the comment of anybody [POST-58]', async () => {
  signIn({ role: 'admin' })
  comments(buildComment())
  const dialog = await pressDelete("Delete Noor Haddad's comment")
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('What light!')).not.toBeInTheDocument())
})

it('says so when nothing was deleted, and keeps the comment [POST-60]', async () => {
  signIn()
  comments(buildComment({ content: 'Mine', author: ada }))
  const dialog = await pressDelete('Delete your comment', 0)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete comment')).toBeVisible()
  expect(screen.getByText('Mine')).toBeVisible()
})

it('says whether loading, posting, or deleting failed [POST-60]', async () => {
  signIn()
  network.use(fail('comments'))
  await openComments()
  expect(await screen.findByRole('heading', { name: 'Failed to load comments' })).toBeVisible()
  comments(buildComment({ content: 'Mine', author: ada }))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  refuse('post')
  await userEvent.type(await box(), 'Lovely.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await screen.findByText('Failed to post comment')).toBeVisible()
  refuse('delete')
  await userEvent.click(screen.getByRole('button', { name: 'Delete your comment' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Failed to delete comment')).toBeVisible()
})

it('recovers when the comments could not be loaded and the viewer retries [POST-60]', async () => {
  signIn()
  network.use(fail('comments'))
  await openComments()
  expect(await screen.findByRole('heading', { name: 'Failed to load comments' })).toBeVisible()
  comments(buildComment())
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('What light!')).toBeVisible()
})

it('loads older comments with a press', async () => {
  signIn()
  const first = Array.from({ length: 20 }, (_, index) => buildComment({ content: `Comment ${index}` }))
  network.use(
    http.get('*/rest/v1/comments', ({ request }) => {
      const from = new URL(request.url).searchParams.get('or')
      if (!from) return HttpResponse.json(first)
      return HttpResponse.json(from.includes(first.at(-1)?.id ?? '-') ? [buildComment({ content: 'Much older' })] : [])
    }),
  )
  await openComments()
  const section = await screen.findByRole('region', { name: 'Comments' })
  await userEvent.click(await within(section).findByRole('button', { name: 'Load more' }))
  expect(await within(section).findByText('Much older')).toBeVisible()
})

it('moves the focus to the first older comment after a press by keyboard [POST-12]', async () => {
  signIn()
  const rows = Array.from({ length: 20 }, (_, index) => buildComment({ content: `Comment ${index}` }))
  const older = buildComment({
    content: 'Much older',
    author: { ...noor, display_name: 'Grace Hopper', username: 'grace' },
  })
  network.use(
    http.get('*/rest/v1/comments', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.has('or') ? [older] : rows),
    ),
  )
  await openComments()
  const more = await screen.findByRole('button', { name: 'Load more' })
  more.focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('link', { name: 'Grace Hopper' })).toHaveFocus())
  expect(more).not.toBeInTheDocument()
})

it('returns the focus to the box after a comment was posted by keyboard [POST-56]', async () => {
  signIn()
  comments(buildComment())
  network.use(
    http.post('*/rest/v1/comments', () =>
      HttpResponse.json(buildComment({ content: 'Lovely.', author: ada }), { status: 201 }),
    ),
  )
  await openComments()
  await screen.findByText('What light!')
  await userEvent.type(await box(), 'Lovely.')
  await userEvent.tab()
  expect(screen.getByRole('button', { name: 'Post' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Lovely.')).toBeVisible()
  expect(await box()).toHaveFocus()
})

it('still offers more after a comment of a full page was deleted [POST-59]', async () => {
  signIn()
  const rest = Array.from({ length: 20 }, (_, index) => buildComment({ content: `Comment ${index}` }))
  comments(buildComment({ content: 'Mine', author: ada }), ...rest.slice(0, 19))
  const dialog = await pressDelete('Delete your comment')
  expect(screen.getAllByRole('button', { name: 'Load more' })).toHaveLength(1)
  network.use(http.get('*/rest/v1/comments', () => HttpResponse.json(rest)))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByText('Mine')).not.toBeInTheDocument())
  expect(await screen.findByRole('button', { name: 'Load more' })).toBeVisible()
})

it('lets visitors read, and asks them to sign in to comment [GEN-38, GEN-39]', async () => {
  const post = buildPost()
  network.use(answer('posts', [post]))
  comments(buildComment())
  renderRoute(`/post/${post.id}`)
  expect(await screen.findByText('What light!')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Sign in to comment' })).toHaveAttribute(
    'href',
    `/auth?next=${encodeURIComponent(`/post/${post.id}`)}`,
  )
  expect(screen.queryByRole('textbox', { name: 'Add a comment' })).not.toBeInTheDocument()
})

it('says that there are no comments yet', async () => {
  signIn()
  comments()
  await openComments()
  expect(await screen.findByText('No comments yet. Be the first.')).toBeVisible()
})

it('restores a draft after a reload, and deletes it after sign-out [POST-56]', async () => {
  signIn()
  comments()
  const post = buildPost({ comments_count: 2 })
  const open = async () => {
    cleanup()
    network.use(answer('posts', [post]))
    renderRoute(`/post/${post.id}`)
    return box()
  }
  await userEvent.type(await open(), 'The light on the le')
  expect(await open()).toHaveValue('The light on the le')
  drafts.forgetAll()
  expect(await open()).toHaveValue('')
})

it("restricts the author of a comment on the creator's own post, and nobody else's [LIST-05]", async () => {
  signIn({ is_creator: true, is_verified: true })
  const theirs = buildComment()
  comments(theirs)
  let restricted: string[] = []
  network.use(
    http.post('*/rest/v1/rpc/restricted_among', () => HttpResponse.json(restricted)),
    http.post('*/rest/v1/rpc/restrict_fan', async ({ request }) => {
      const { fan_profile_id, is_restricted } = (await request.json()) as Record<string, unknown>
      restricted = is_restricted ? [String(fan_profile_id)] : []
      return new HttpResponse(null, { status: 204 })
    }),
    answer('rpc/get_feed', [buildPost({ comments_count: 2, creator_id: viewerProfile.id })]),
  )
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Comments, 2 comments' }))
  await screen.findByText('What light!')
  const menu = async (item: string) => {
    await userEvent.click(screen.getByRole('button', { name: "More options for Noor Haddad's comment" }))
    await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  }
  await menu('Restrict Noor Haddad')
  expect(await screen.findByText('Noor Haddad is restricted')).toBeVisible()
  const comment = screen.getByText('What light!').closest('li') as HTMLElement
  expect(await within(comment).findByText('Restricted')).toBeVisible()
  await menu('Lift restriction')
  await waitFor(() => expect(within(comment).queryByText('Restricted')).not.toBeInTheDocument())
  expect(restricted).toEqual([])
})

it("offers no restriction on another creator's post [LIST-05]", async () => {
  signIn({ is_creator: true, is_verified: true })
  comments(buildComment())
  await openComments()
  await screen.findByText('What light!')
  await userEvent.click(screen.getByRole('button', { name: "More options for Noor Haddad's comment" }))
  expect(await screen.findByRole('menuitem', { name: 'Report comment' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: /Restrict/ })).not.toBeInTheDocument()
})

it('lets creators put the author of a comment on a list [LIST-01]', async () => {
  signIn({ is_creator: true, is_verified: true })
  comments(buildComment())
  const sent: unknown[] = []
  network.use(
    answer('fan_lists', [{ id: 'list-1', name: 'Regulars', rule: null, members_count: 0 }]),
    http.post('*/rest/v1/rpc/add_to_fan_list', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json(1)
    }),
  )
  await openComments()
  await userEvent.click(await screen.findByRole('button', { name: "More options for Noor Haddad's comment" }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Add to list' }))
  const dialog = await screen.findByRole('dialog', { name: /^Lists with Noor/ })
  await userEvent.click(await within(dialog).findByLabelText('Regulars'))
  await waitFor(() => expect(sent).toEqual([{ list_id: 'list-1', fan_ids: [noor.id] }]))
})

const calls = (name: string) => {
  const bodies: unknown[] = []
  network.use(
    http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json(name === 'remove_comments_of' ? 3 : null)
    }),
  )
  return bodies
}
/** The viewer is the creator of the post. */
async function openOwnPost() {
  network.use(answer('rpc/get_feed', [buildPost({ comments_count: 2, creator_id: ada.id, creator: ada })]))
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Comments, 2 comments' }))
}
const openMenu = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: `More options for ${name}'s comment` }))

it('shows replies below their comment, and posts one [TALK-02]', async () => {
  signIn()
  const parent = buildComment()
  comments({ ...parent, replies: [buildComment({ parent_id: parent.id, content: 'So true', author: ada })] })
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/comments', async ({ request }) => {
      const row = (await request.json()) as { content: string }
      sent.push(row)
      return HttpResponse.json(buildComment({ parent_id: parent.id, content: row.content, author: ada }), {
        status: 201,
      })
    }),
  )
  await openComments()
  const replies = await screen.findByRole('list', { name: 'Replies to Noor Haddad' })
  expect(within(replies).getByText('So true')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Reply to Noor Haddad' }))
  const field = await screen.findByRole('textbox', { name: 'Reply to Noor Haddad' })
  expect(field).toHaveFocus()
  await userEvent.type(field, 'Thank you')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(await within(replies).findByText('Thank you')).toBeVisible()
  expect(field).not.toBeInTheDocument()
  await waitFor(() =>
    expect(sent).toEqual([
      { post_id: expect.any(String), user_id: viewerProfile.id, content: 'Thank you', parent_id: parent.id },
    ]),
  )
  expect(screen.getByRole('button', { name: 'Comments, 3 comments' })).toBeVisible()
})

it('closes the form of a reply with Escape, and names who a reply to a reply is for [TALK-02]', async () => {
  signIn()
  const parent = buildComment()
  const grace = { ...noor, id: ada.id.replace('0', '9'), username: 'grace', display_name: 'Grace Hopper' }
  comments({ ...parent, replies: [buildComment({ parent_id: parent.id, content: 'So true', author: grace })] })
  await openComments()
  await userEvent.click(await screen.findByRole('button', { name: 'Reply to Grace Hopper' }))
  expect(await screen.findByRole('textbox', { name: 'Reply to Grace Hopper' })).toHaveValue('@grace ')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('textbox', { name: 'Reply to Grace Hopper' })).not.toBeInTheDocument()
})

it('shows three replies, and all after a press [TALK-02]', async () => {
  signIn()
  const parent = buildComment()
  const replies = Array.from({ length: 6 }, (_, index) =>
    buildComment({ parent_id: parent.id, content: `Reply ${index}` }),
  )
  network.use(
    http.get('*/rest/v1/comments', ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.has('parent_id', `eq.${parent.id}`)
          ? replies
          : [{ ...parent, replies: replies.slice(0, 4) }],
      ),
    ),
  )
  await openComments()
  expect(await screen.findByText('Reply 2')).toBeVisible()
  expect(screen.queryByText('Reply 3')).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Show more replies' }))
  expect(await screen.findByText('Reply 5')).toBeVisible()
})

it('likes a comment at once, and takes that back when it fails [TALK-02]', async () => {
  signIn()
  comments(buildComment({ likes_count: 2 }))
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/comment_likes', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
  )
  await openComments()
  const button = await screen.findByRole('button', { name: "Like Noor Haddad's comment" })
  await userEvent.click(button)
  expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(button).toHaveTextContent('3')
  await waitFor(() => expect(sent).toEqual([{ comment_id: expect.any(String), user_id: viewerProfile.id }]))
  network.use(http.delete('*/rest/v1/comment_likes', () => HttpResponse.json({ message: 'no' }, { status: 500 })))
  await userEvent.click(button)
  expect(await screen.findByText("Couldn't save your like")).toBeVisible()
  expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(button).toHaveTextContent('3')
})

it('reads the comments in the order that was chosen [TALK-02]', async () => {
  signIn()
  const asked: (string | null)[] = []
  network.use(
    http.get('*/rest/v1/comments', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('order'))
      return HttpResponse.json([buildComment(), buildComment({ content: 'Second' })])
    }),
  )
  await openComments()
  const select = await screen.findByRole('combobox', { name: 'Sort comments' })
  for (const order of ['Oldest', 'Most liked']) await userEvent.selectOptions(select, order)
  await waitFor(() =>
    expect([...new Set(asked)]).toEqual([
      'is_pinned.desc,created_at.desc,id.desc',
      'is_pinned.desc,created_at.asc,id.asc',
      'is_pinned.desc,likes_count.desc,created_at.desc,id.desc',
    ]),
  )
})

it.each([
  ['followers', null, 'Only followers can comment.'],
  ['subscribers', null, 'Only subscribers can comment.'],
  ['plan', 'Darkroom', 'Only subscribers of Darkroom can comment.'],
  ['nobody', null, 'Nobody can comment on this post.'],
])('says instead of the form that only %s may comment [TALK-02]', async (commenters, plan_name, words) => {
  signIn()
  comments(buildComment())
  network.use(
    answer('rpc/get_comment_access', [{ commenters, plan_id: null, plan_name, may_comment: false, is_default: true }]),
  )
  await openComments()
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Reply/ })).not.toBeInTheDocument()
})

it('says that an own comment waits for review, and doesn’t count it [TALK-03]', async () => {
  signIn()
  comments()
  network.use(
    http.post('*/rest/v1/comments', () =>
      HttpResponse.json(buildComment({ content: 'Spam', author: ada, is_held: true }), { status: 201 }),
    ),
  )
  await openComments()
  await userEvent.type(await box(), 'Spam')
  await userEvent.click(screen.getByRole('button', { name: 'Post' }))
  expect(await screen.findByText('Waiting for review')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Comments, 2 comments' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Approve/ })).not.toBeInTheDocument()
})

it('shows the reason when the server gives one [TALK-02]', async () => {
  signIn()
  comments()
  network.use(
    http.post('*/rest/v1/comments', () =>
      HttpResponse.json({ code: 'PT429', message: "You've written 30 comments within a minute" }, { status: 429 }),
    ),
  )
  await openComments()
  await userEvent.type(await box(), 'More')
  await userEvent.click(screen.getByRole('button', { name: 'Post' }))
  expect(await screen.findByText("You've written 30 comments within a minute")).toBeVisible()
})

it('lets the creator approve, pin, and remove all comments of a user after asking [TALK-02, TALK-03]', async () => {
  signIn({ is_verified: true })
  comments(buildComment({ content: 'Held', is_held: true }), buildComment({ content: 'Shown' }))
  const [approved, pinned, removed] = [calls('approve_comment'), calls('pin_comment'), calls('remove_comments_of')]
  await openOwnPost()
  await userEvent.click(await screen.findByRole('button', { name: "Approve Noor Haddad's comment" }))
  await waitFor(() => expect(approved).toEqual([{ comment_id: expect.any(String) }]))
  const [, menu] = await screen.findAllByRole('button', { name: "More options for Noor Haddad's comment" })
  await userEvent.click(menu as HTMLElement)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pin comment' }))
  await waitFor(() => expect(pinned).toEqual([{ comment_id: expect.any(String), is_pinned: true }]))
  await userEvent.click(
    (await screen.findAllByRole('button', { name: "More options for Noor Haddad's comment" }))[1] as HTMLElement,
  )
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete all comments by Noor Haddad' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete all comments by Noor Haddad?' })
  expect(removed).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete all' }))
  expect(await screen.findByText('3 comments deleted')).toBeVisible()
  expect(removed).toEqual([{ profile_id: noor.id }])
})

it('has no such actions on the posts of others [TALK-02, TALK-03]', async () => {
  signIn()
  comments(buildComment())
  await openComments()
  await openMenu('Noor Haddad')
  await screen.findByRole('menuitem', { name: 'Report comment' })
  for (const name of ['Pin comment', 'Delete all comments by Noor Haddad'])
    expect(screen.queryByRole('menuitem', { name })).not.toBeInTheDocument()
})

it('suggests users and tags while typing, by keyboard and mouse [TALK-01]', async () => {
  signIn()
  comments()
  const asked: string[] = []
  network.use(
    http.get('*/rest/v1/rpc/suggest_people', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('search') ?? '')
      return HttpResponse.json([noor, { ...noor, id: ada.id, username: 'nora', display_name: 'Nora' }])
    }),
    http.get('*/rest/v1/rpc/suggest_tags', () => HttpResponse.json([{ tag: 'golden', posts: 3 }])),
  )
  await openComments()
  const field = await box()
  await userEvent.type(field, 'Hi @no')
  const list = await screen.findByRole('listbox', { name: 'People' })
  expect(asked).toEqual(['no'])
  const [first, second] = within(list).getAllByRole('option')
  expect(first).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowDown}')
  expect(second).toHaveAttribute('aria-selected', 'true')
  expect(field).toHaveAttribute('aria-activedescendant', second?.id)
  await userEvent.keyboard('{Enter}')
  expect(field).toHaveValue('Hi @nora ')
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  await userEvent.type(field, '#gol')
  await userEvent.click(await screen.findByRole('option', { name: /#golden/ }))
  expect(field).toHaveValue('Hi @nora #golden ')
  expect(field).toHaveFocus()
  await userEvent.type(field, '#gol')
  await screen.findByRole('listbox', { name: 'Tags' })
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(field).toHaveValue('Hi @nora #golden #gol')
})
