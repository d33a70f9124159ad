import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import type { ListedUser } from './user-queries.ts'

const noor: ListedUser = {
  id: 'profile-noor',
  user_id: 'user-noor',
  username: 'noor',
  display_name: 'Noor Haddad',
  avatar_url: null,
  is_creator: true,
  is_verified: true,
  role: 'user',
  created_at: '2024-05-02T10:00:00Z',
  email: 'noor@example.com',
  total_posts: 12,
  total_earnings: 1204.5,
}
const grace = { ...noor, id: 'profile-grace', username: 'grace', display_name: 'Grace', email: 'grace@example.com' }

/** An admin, and everybody; keeps what was asked. */
function admin(users: ListedUser[] = [noor, grace]) {
  signIn({ role: 'admin' })
  const asked: Record<string, unknown>[] = []
  network.use(
    answer('creator_applications', []),
    answer('support_requests', []),
    answer('rpc/count_users', 2),
    http.post('*/rest/v1/rpc/get_users_with_emails', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>
      asked.push(body)
      const found = body.before ? [] : users.filter(({ email }) => email?.includes(String(body.search ?? '')))
      return HttpResponse.json(found)
    }),
  )
  return asked
}

it('lists everybody with address, posts and earnings, and counts them [ADM-04, ADM-16]', async () => {
  admin()
  renderRoute('/admin')
  await userEvent.click(await screen.findByRole('tab', { name: 'All Users (2)' }))
  const list = within(await screen.findByRole('list', { name: 'Users' }))
  const row = within(list.getAllByRole('listitem')[0] as HTMLElement)
  expect(row.getByRole('heading', { name: /Noor Haddad/ })).toBeVisible()
  expect(row.getByText('noor@example.com')).toBeVisible()
  expect(row.getByText('12 posts')).toBeVisible()
  expect(row.getByText('$1,204.50 earned')).toBeVisible()
  expect(row.getByRole('link', { name: '@noor' })).toHaveAttribute('href', '/profile/noor')
})

it('finds people by what is typed, and says when there is nobody [ADM-16]', async () => {
  const asked = admin()
  renderRoute('/admin?tab=users')
  const search = await screen.findByRole('searchbox', { name: 'Search by name, username or email' })
  await userEvent.type(search, 'grace@')
  await waitFor(() => expect(screen.queryByText('noor@example.com')).not.toBeInTheDocument())
  expect(await screen.findByText('grace@example.com')).toBeVisible()
  expect(asked.at(-1)).toMatchObject({ search: 'grace@' })
  await userEvent.type(search, 'nowhere')
  expect(await screen.findByText('Nobody matches "grace@nowhere"')).toBeVisible()
})

it('goes on after the last person shown [ADM-16]', async () => {
  const page = Array.from({ length: 25 }, (_, index) => ({ ...noor, id: `profile-${index}`, username: `noor${index}` }))
  const asked = admin(page)
  renderRoute('/admin?tab=users')
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ before: noor.created_at, before_id: 'profile-24' }))
})

it('tells why they could not be loaded, and loads on the next try [ADM-21]', async () => {
  admin()
  network.use(fail('rpc/get_users_with_emails', 403, 'Only admins may do this'))
  renderRoute('/admin?tab=users')
  expect(await screen.findByText('Failed to load users: Only admins may do this')).toBeVisible()
  admin()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('noor@example.com')).toBeVisible()
})
