import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

/** Opens a feed of one post; what is written to posts afterwards is kept, and answered with `status`. */
function open(post: ReturnType<typeof buildPost>, status = 200) {
  const written: unknown[] = []
  network.use(
    answer('rpc/get_feed', [post]),
    http.patch('*/rest/v1/posts', async ({ request }) => {
      written.push(await request.json())
      return status === 200
        ? HttpResponse.json([{ id: post.id }])
        : HttpResponse.json({ code: 'P0001', message: 'Three posts are pinned already' }, { status })
    }),
  )
  renderRoute('/')
  return written
}
const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: /^More options for .+ post$/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const ownPost = (over = {}) =>
  buildPost({ creator_id: viewerProfile.id, creator: { ...noor, id: viewerProfile.id }, ...over })

it('pins an own post, marks it, and lets it go again [POST-08, D28]', async () => {
  signIn({ is_verified: true })
  const written = open(ownPost())
  await choose('Pin to profile')
  expect(await screen.findByText('Pinned')).toBeVisible()
  await choose('Unpin')
  await waitFor(() => expect(screen.queryByText('Pinned')).not.toBeInTheDocument())
  expect(written).toEqual([{ is_pinned: true }, { is_pinned: false }])
})

it('edits the words of an own post where it stands', async () => {
  signIn({ is_verified: true })
  const written = open(ownPost({ title: 'Harbour', content: 'Before the boats leave' }))
  await choose('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit post' }))
  const content = dialog.getByLabelText('Content')
  await userEvent.clear(content)
  await userEvent.type(content, 'After the boats have left')
  network.use(answer('rpc/get_feed', [ownPost({ title: 'Harbour', content: 'After the boats have left' })]))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Post saved')).toBeVisible()
  expect(written).toEqual([{ title: 'Harbour', content: 'After the boats have left' }])
  const card = screen.getByRole('heading', { name: 'Harbour' }).closest('article') as HTMLElement
  expect(within(card).getByText('After the boats have left')).toBeVisible()
})

it('says why a post could not be pinned [POST-08, D28]', async () => {
  signIn({ is_verified: true })
  open(ownPost(), 409)
  await choose('Pin to profile')
  expect(await screen.findByText('Three posts are pinned already')).toBeVisible()
  expect(screen.queryByText('Pinned')).not.toBeInTheDocument()
})

it('lets an admin note something on a post for everybody, and take it away [POST-13, D28]', async () => {
  signIn({ role: 'admin' })
  const written = open(buildPost())
  await choose('Note on this post')
  const dialog = within(await screen.findByRole('dialog', { name: 'Note on this post' }))
  await userEvent.type(dialog.getByLabelText('Note'), 'The date is wrong: it was in May.')
  await userEvent.click(dialog.getByLabelText('Show to everyone'))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const banner = await screen.findByRole('complementary', { name: 'A note from the team' })
  expect(within(banner).getByText('The date is wrong: it was in May.')).toBeVisible()
  expect(within(banner).queryByText('Only you and the team see this.')).not.toBeInTheDocument()

  await choose('Note on this post')
  const again = within(await screen.findByRole('dialog', { name: 'Note on this post' }))
  await userEvent.clear(again.getByLabelText('Note'))
  await userEvent.click(again.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(banner).not.toBeInTheDocument())
  expect(written).toEqual([
    { admin_note: 'The date is wrong: it was in May.', admin_note_is_public: true },
    { admin_note: null, admin_note_is_public: false },
  ])
})

it('tells the owner that a note is for them alone [POST-13, D28]', async () => {
  signIn({ is_verified: true })
  open(ownPost({ admin_note: 'Please name the place.' }))
  const banner = await screen.findByRole('complementary', { name: 'A note from the team' })
  expect(await within(banner).findByText('Only you and the team see this.')).toBeVisible()
})

it('offers pin and note to nobody else [POST-08, POST-13]', async () => {
  signIn()
  open(buildPost())
  await userEvent.click(await screen.findByRole('button', { name: /^More options for .+ post$/ }))
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['Report post', 'Block Noor Haddad'])
})
