import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const feed = (...posts: ReturnType<typeof buildPost>[]) => network.use(answer('rpc/get_feed', posts))

it('counts new posts as they are published, and shows them above the others when asked [HOME-04, D21]', async () => {
  signIn()
  network.use(answer('follows', [{ following_id: noor.id }]))
  const known = buildPost({ content: 'Known already' })
  feed(known)
  renderRoute('/')
  await screen.findByText('Known already')
  await waitFor(() => expect(listensTo('posts')).toContain(`creator_id=in.(${noor.id})`))

  const own = buildPost({ content: 'My own, from another window', creator_id: viewerProfile.id })
  feed(buildPost({ content: 'Fresh' }), own, known)
  pushInsert('posts', { id: 'x' })
  const pill = await screen.findByRole('button', { name: '1 new post' })
  expect(screen.queryByText('Fresh')).not.toBeInTheDocument()
  pill.focus()
  await userEvent.keyboard('{Enter}')
  const texts = screen.getAllByRole('article').map((post) => within(post).getByText(/Fresh|Known/).textContent)
  expect(texts).toEqual(['Fresh', 'Known already'])
  expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument()
  // The pill is gone: after a press by keyboard, the focus moves to the first new post.
  const [first] = screen.getAllByRole('article')
  await waitFor(() => expect(within(first as HTMLElement).getByRole('link', { name: 'Noor Haddad' })).toHaveFocus())
})

it('offers no post as new that the feed has read meanwhile [HOME-04, D21]', async () => {
  signIn({ is_verified: true })
  network.use(answer('follows', [{ following_id: noor.id }]), answer('subscription_products', []))
  const known = buildPost({ content: 'Known already' })
  const fresh = buildPost({ content: 'Fresh' })
  feed(known)
  renderRoute('/')
  await screen.findByText('Known already')
  await waitFor(() => expect(listensTo('posts')).toContain(`creator_id=in.(${noor.id})`))
  feed(fresh, known)
  pushInsert('posts', { id: 'x' })
  await screen.findByRole('button', { name: '1 new post' })

  // The viewer's own new post reloads the feed.
  network.use(
    http.get('*/rest/v1/posts', () => HttpResponse.json([{ id: 'one' }, { id: 'another' }])),
    http.post('*/rest/v1/posts', () => new HttpResponse(null, { status: 201 })),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Create Post' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
  await userEvent.type(await dialog.findByLabelText('Content'), 'Mine')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Fresh')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('button', { name: /new post/ })).not.toBeInTheDocument())
})
