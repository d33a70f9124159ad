import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import type { SupportRequest } from './support-queries.ts'

const charged: SupportRequest = {
  id: 'request-1',
  user_id: null,
  name: 'Grace',
  email: 'grace@example.com',
  subject: 'Charged twice',
  category: 'Billing',
  message: 'See June 3rd.\nThank you.',
  priority: 'high',
  status: 'open',
  created_at: '2024-05-02T10:00:00Z',
  updated_at: '2024-05-02T10:00:00Z',
}
const earlier = { ...charged, id: 'request-0', subject: 'How do I join?', status: 'resolved' as const, category: null }

/** An admin, and what people asked. */
function admin(requests: SupportRequest[] = [charged, earlier]) {
  signIn({ role: 'admin' })
  const asked: URLSearchParams[] = []
  network.use(
    answer('creator_applications', []),
    answer('rpc/count_users', 3),
    http.get('*/rest/v1/support_requests', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const state = query.get('status')?.replace('eq.', '')
      const rows = requests.filter(({ status }) => state === undefined || status === state)
      return HttpResponse.json(rows, { headers: { 'content-range': `0-${rows.length - 1}/${rows.length}` } })
    }),
    http.post('*/rest/v1/rpc/get_admin_queues', () =>
      HttpResponse.json({ open_support_requests: requests.filter(({ status }) => status !== 'resolved').length }),
    ),
  )
  return asked
}

async function openDetails() {
  await userEvent.click(await screen.findByRole('button', { name: 'View details for Charged twice' }))
  return within(await screen.findByRole('dialog', { name: 'Support request details' }))
}

describe('the support requests', () => {
  it('stand in a tab with the count of those that wait, newest first, and open in a dialog [ADM-04, ADM-22, API-REST-33]', async () => {
    const asked = admin()
    renderRoute('/admin')
    await userEvent.click(await screen.findByRole('tab', { name: 'Support Requests (1)' }))
    const rows = within(await screen.findByRole('list', { name: 'Support requests' })).getAllByRole('listitem')
    expect(rows.map((row) => within(row).getByRole('heading').textContent)).toEqual(['Charged twice', 'How do I join?'])
    expect(within(rows[0] as HTMLElement).getByText('Open')).toBeVisible()
    expect(asked[0]?.get('order')).toBe('created_at.desc,id.desc')
    expect((await openDetails()).getByText('Billing')).toBeVisible()
  })

  it('lead to the profile and the payments of the account, not of the name that was entered [ADM-05, LOOP-24]', async () => {
    admin([{ ...charged, user_id: 'user-7' }])
    renderRoute('/admin?tab=support')
    const details = await openDetails()
    expect(details.getByRole('link', { name: 'View profile' })).toHaveAttribute('href', '/profile/user-7')
    expect(details.getByRole('link', { name: 'Payments of Grace' })).toHaveAttribute('href', '/admin/payments?q=user-7')
  })

  it('of visitors lead to no account [ADM-05]', async () => {
    admin()
    renderRoute('/admin?tab=support')
    const details = await openDetails()
    expect(details.getByText('No account')).toBeVisible()
    expect(details.queryByRole('link', { name: /profile|Payments of/ })).not.toBeInTheDocument()
  })

  it('are shown by state, asked of the server; the count stays that of all that wait [ADM-22, ADM-23, ADM-04]', async () => {
    admin()
    renderRoute('/admin?tab=support')
    const choose = async (state: string) => {
      const states = within(screen.getByRole('radiogroup', { name: 'Which requests' }))
      await userEvent.click(states.getByRole('radio', { name: state }))
    }
    expect(await screen.findByText('Charged twice')).toBeVisible()
    await choose('Resolved')
    await waitFor(() => expect(screen.queryByText('Charged twice')).not.toBeInTheDocument())
    expect(screen.getByText('How do I join?')).toBeVisible()
    await choose('In progress')
    await waitFor(() => expect(screen.queryByText('How do I join?')).not.toBeInTheDocument())
    expect(screen.getByRole('tab', { name: 'Support Requests (1)' })).toBeVisible()
    await choose('All')
    for (const subject of ['Charged twice', 'How do I join?']) expect(await screen.findByText(subject)).toBeVisible()
  })

  it('say when there are none [ADM-22]', async () => {
    admin([])
    renderRoute('/admin?tab=support')
    expect(await screen.findByText('No requests')).toBeVisible()
  })

  it('tell why they could not be loaded, and load on the next try [ADM-26]', async () => {
    admin()
    network.use(fail('support_requests', 500, 'the disk is full'))
    renderRoute('/admin?tab=support')
    expect(await screen.findByText('Failed to load support requests: the disk is full')).toBeVisible()
    admin()
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Charged twice')).toBeVisible()
  })
})

describe('a request', () => {
  it('opens with all that was written [ADM-05, ADM-22]', async () => {
    admin()
    renderRoute('/admin?tab=support')
    const dialog = await openDetails()
    expect(dialog.getByText(/See June 3rd\./)).toBeVisible()
    expect(dialog.getByText('No account')).toBeVisible()
    expect(dialog.getByText('Billing')).toBeVisible()
    expect(dialog.getByText('High')).toBeVisible()
    expect(dialog.getByRole('link', { name: 'grace@example.com' })).toHaveAttribute(
      'href',
      'mailto:grace@example.com?subject=Re%3A%20Charged%20twice',
    )
  })

  it('is taken up and settled, each once [ADM-23, ADM-24, API-REST-35]', async () => {
    admin()
    const sent: unknown[] = []
    renderRoute('/admin?tab=support')
    const dialog = await openDetails()
    const takeUp = dialog.getByRole('button', { name: 'Mark in progress' })
    const settle = dialog.getByRole('button', { name: 'Mark resolved' })
    expect(takeUp).toBeEnabled()
    admin([{ ...charged, status: 'in_progress' }])
    network.use(
      http.patch('*/rest/v1/support_requests', async ({ request }) => {
        sent.push({ id: new URL(request.url).searchParams.get('id'), ...((await request.json()) as object) })
        return HttpResponse.json({ id: 'request-1' })
      }),
    )
    await userEvent.click(takeUp)
    expect(await screen.findByText('Status Updated')).toBeVisible()
    await waitFor(() => expect(takeUp).toBeDisabled())
    expect(dialog.getByText('In progress')).toBeVisible()
    expect(settle).toBeEnabled()
    expect(sent).toEqual([{ id: 'eq.request-1', status: 'in_progress', updated_at: expect.any(String) }])
    const patch = http.patch('*/rest/v1/support_requests', async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ id: 'request-1' })
    })
    admin([{ ...charged, status: 'resolved' }])
    network.use(patch)
    await userEvent.click(settle)
    await waitFor(() => expect(settle).toBeDisabled())
    expect(takeUp).toBeEnabled()
    expect(sent.at(-1)).toMatchObject({ status: 'resolved' })
  })

  it('cannot be settled twice [ADM-23]', async () => {
    admin([{ ...charged, status: 'resolved' }])
    renderRoute('/admin?tab=support')
    const dialog = await openDetails()
    expect(dialog.getByRole('button', { name: 'Mark resolved' })).toBeDisabled()
    expect(dialog.getByRole('button', { name: 'Mark in progress' })).toBeEnabled()
  })

  it("says why its status didn't change, and confirms the retry [ADM-25]", async () => {
    admin()
    network.use(
      http.patch('*/rest/v1/support_requests', () =>
        HttpResponse.json({ code: '42501', message: 'permission denied' }, { status: 403 }),
      ),
    )
    renderRoute('/admin?tab=support')
    const dialog = await openDetails()
    await userEvent.click(dialog.getByRole('button', { name: 'Mark resolved' }))
    const alert = await dialog.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to update support request status')
    expect(alert).toHaveTextContent('permission denied')
    expect(dialog.getByRole('button', { name: 'Mark resolved' })).toBeEnabled()
    network.use(http.patch('*/rest/v1/support_requests', () => HttpResponse.json({ id: 'request-1' })))
    await userEvent.click(dialog.getByRole('button', { name: 'Mark resolved' }))
    expect(await screen.findByText('Status Updated')).toBeVisible()
  })
})
