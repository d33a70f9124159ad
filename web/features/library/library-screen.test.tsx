import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const item = {
  id: 'post-1',
  kind: 'post',
  title: 'Rehearsal',
  excerpt: 'From the wings',
  cover_path: null,
  files: 2,
  starts_at: null,
  is_new_version: false,
  bought_at: '2024-05-01T10:00:00Z',
  entry_id: 'entry-1',
  creator_username: 'noor',
  creator_name: 'Noor Haddad',
}
const items = [
  {
    ...item,
    id: 'booking-1',
    kind: 'session',
    title: 'A talk',
    excerpt: null,
    files: 0,
    starts_at: '2024-06-01T10:00:00Z',
    entry_id: 'entry-4',
  },
  {
    ...item,
    id: 'product-1',
    kind: 'product',
    title: 'Brushes',
    excerpt: null,
    files: 1,
    is_new_version: true,
    entry_id: 'entry-3',
  },
  {
    ...item,
    id: 'message-1',
    kind: 'message',
    title: null,
    excerpt: 'The pier at dawn',
    files: 0,
    entry_id: 'entry-2',
  },
  item,
]
/** Answers with all items; collects the filters. */
function serve(rows: unknown[] = items) {
  const asked: Record<string, string>[] = []
  network.use(
    http.get('*/rest/v1/rpc/get_library', ({ request }) => {
      asked.push(Object.fromEntries(new URL(request.url).searchParams))
      return HttpResponse.json(rows)
    }),
  )
  return asked
}

it('lists what the viewer has bought, each leading to its screen [OFFER-06]', async () => {
  signIn()
  serve()
  renderRoute('/library')
  await screen.findByRole('list', { name: 'What you have bought' })
  for (const [name, address] of [
    ['A talk', '/private-sessions'],
    ['Brushes', '/product/product-1'],
    ['Message from Noor Haddad', '/messages?with=noor&message=message-1'],
    ['Rehearsal', '/post/post-1'],
  ] as const)
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', address)
  expect(screen.getByText('New version')).toBeVisible()
  expect(screen.getByText('The pier at dawn')).toBeVisible()
})

it('searches and filters by type, with the filter in the address [OFFER-06]', async () => {
  signIn()
  const asked = serve()
  const { router } = renderRoute('/library')
  await screen.findByRole('link', { name: 'Brushes' })
  await userEvent.click(screen.getByRole('radio', { name: 'Products' }))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search your library' }), 'brush')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ kind: 'product', search: 'brush' }))
  expect(router.state.location.search).toBe('?type=product&q=brush')
  serve([])
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search your library' }), 'x')
  expect(await screen.findByText('Nothing found')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

it('says that it is empty, or offers Retry, and asks visitors to sign in [OFFER-06]', async () => {
  const { router } = renderRoute('/library')
  await waitFor(() => expect(router.state.location.search).toBe('?next=%2Flibrary'))
  cleanup()
  signIn()
  network.use(fail('rpc/get_library'))
  renderRoute('/library')
  expect(await screen.findByText("Couldn't load your library")).toBeVisible()
  network.use(answer('rpc/get_library', []))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Your library is empty')).toBeVisible()
})
