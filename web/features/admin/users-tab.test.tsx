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
  updated_at: '2024-05-02T10:00:00Z',
  email: 'noor@example.com',
  suspended_at: null,
  suspension_reason: null,
  total_posts: 12,
  total_earnings: 120_450,
}
const grace = { ...noor, id: 'profile-grace', username: 'grace', display_name: 'Grace', email: 'grace@example.com' }

/** An admin, and all users; records the requests. */
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
  const search = await screen.findByRole('searchbox', { name: 'Search by name, username, or email' })
  await userEvent.type(search, 'grace@')
  await waitFor(() => expect(screen.queryByText('noor@example.com')).not.toBeInTheDocument())
  expect(await screen.findByText('grace@example.com')).toBeVisible()
  expect(asked.at(-1)).toMatchObject({ search: 'grace@' })
  await userEvent.type(search, 'nowhere')
  expect(await screen.findByText('No results for "grace@nowhere"')).toBeVisible()
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
  network.use(fail('rpc/get_users_with_emails', 403, 'Only admins can do this'))
  renderRoute('/admin?tab=users')
  expect(await screen.findByText('Failed to load users: Only admins can do this')).toBeVisible()
  admin()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('noor@example.com')).toBeVisible()
})

/** Responds for a function, and records its arguments. */
function acceptFunction(name: string, status = 200, body: object = { success: true }) {
  const asked: unknown[] = []
  network.use(
    http.post(`*/functions/v1/${name}`, async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json(body, { status })
    }),
  )
  return asked
}
const choose = async (action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

it('changes an address to a new one [ADM-05, ADM-17]', async () => {
  admin()
  const asked = acceptFunction('update-user-email')
  renderRoute('/admin?tab=users')
  await choose('Edit email')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit user email' }))
  const field = dialog.getByRole('textbox', { name: 'New email' })
  const save = dialog.getByRole('button', { name: 'Update email' })
  await userEvent.click(save)
  expect(await dialog.findByText("That's already the current email")).toBeVisible()
  await userEvent.clear(field)
  await userEvent.click(save)
  expect(await dialog.findByText('Enter the new email')).toBeVisible()
  await userEvent.type(field, 'noor@example.org')
  await userEvent.click(save)
  expect(await screen.findByText('Email Updated')).toBeVisible()
  expect(asked).toEqual([{ userId: 'user-noor', newEmail: 'noor@example.org' }])
})

it("says why an email didn't change, keeps the input, and confirms the retry [ADM-18]", async () => {
  admin()
  acceptFunction('update-user-email', 409, { error: 'This address belongs to another account', code: 'email_taken' })
  renderRoute('/admin?tab=users')
  await choose('Edit email')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit user email' }))
  const field = dialog.getByRole('textbox', { name: 'New email' })
  await userEvent.clear(field)
  await userEvent.type(field, 'grace@example.com')
  await userEvent.click(dialog.getByRole('button', { name: 'Update email' }))
  expect(await dialog.findByText('Failed to update user email')).toBeVisible()
  expect(field).toHaveValue('grace@example.com')
  acceptFunction('update-user-email')
  await userEvent.click(dialog.getByRole('button', { name: 'Update email' }))
  expect(await screen.findByText('Email Updated')).toBeVisible()
})

it('deletes an account once DELETE is typed exactly [ADM-05, ADM-19]', async () => {
  admin()
  const asked = acceptFunction('delete-user-account')
  renderRoute('/admin?tab=users')
  await choose('Delete account')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }))
  const confirm = dialog.getByRole('button', { name: 'Delete permanently' })
  const field = dialog.getByRole('textbox', { name: 'Type DELETE to confirm' })
  expect(confirm).toBeDisabled()
  for (const wrong of ['delete', 'DELET', 'DELETE ', ' DELETE', 'DELETED']) {
    await userEvent.clear(field)
    await userEvent.type(field, `${wrong}{Enter}`)
    expect(confirm, wrong).toBeDisabled()
  }
  expect(asked).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, 'DELETE')
  expect(confirm).toBeEnabled()
  await userEvent.click(confirm)
  expect(await screen.findByText('Account Deleted')).toBeVisible()
  expect(asked).toEqual([{ userId: 'user-noor' }])
})

it('says whether an account was deleted [ADM-20]', async () => {
  admin()
  acceptFunction('delete-user-account', 503, {
    error: 'The payment provider does not answer',
    code: 'provider_unavailable',
  })
  renderRoute('/admin?tab=users')
  await choose('Delete account')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Type DELETE to confirm' }), 'DELETE{Enter}')
  expect(await dialog.findByText('Failed to delete user account')).toBeVisible()
  acceptFunction('delete-user-account')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete permanently' }))
  expect(await screen.findByText('Account Deleted')).toBeVisible()
})

it('offers nobody to delete their own account here [ADM-19]', async () => {
  const me = signIn({ role: 'admin' })
  admin([{ ...noor, id: me.id }])
  renderRoute('/admin?tab=users')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Haddad' }))
  expect(await screen.findByRole('menuitem', { name: 'Edit email' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Delete account' })).not.toBeInTheDocument()
})

it('reinstates who is suspended, after the reason was read again [GEN-05]', async () => {
  admin([{ ...noor, suspended_at: '2026-01-02T10:00:00Z', suspension_reason: 'Spam in every thread' }])
  const reinstated: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/reinstate_user', async ({ request }) => {
      reinstated.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/admin?tab=users')
  expect(await screen.findByText('Suspended')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Reinstate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reinstate Noor Haddad?' }))
  expect(dialog.getByText(/Spam in every thread/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Reinstate account' }))
  expect(await screen.findByText('Account reinstated')).toBeVisible()
  expect(reinstated).toEqual([{ profile_id: 'profile-noor' }])
})

it('changes the space of a creator’s vault, back to the usual one, too [VAULT-07]', async () => {
  admin([{ ...noor, is_verified: true }])
  const asked: unknown[] = []
  network.use(
    answer('rpc/get_vault_space', [{ used_bytes: 1024 ** 3, quota_bytes: 5 * 1024 ** 3, own_quota_gb: 5 }]),
    http.post('*/rest/v1/rpc/set_vault_quota', async ({ request }) => {
      asked.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/admin?tab=users')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Noor Haddad' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change vault space' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Vault space of Noor Haddad' }))
  expect(await dialog.findByText('1 GB used')).toBeVisible()
  const field = dialog.getByLabelText('Space in GB')
  expect(field).toHaveValue('5')
  await userEvent.clear(field)
  await userEvent.type(field, '2.5')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Enter a whole number from 0 to 1,000,000, or nothing.')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(asked).toEqual([{ profile_id: noor.id, quota_gb: null }]))
})
