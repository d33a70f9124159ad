import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { supabase } from '../../lib/api/supabase.ts'
import { network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'
import type { Notification } from './queries.ts'
import { refreshNotifications } from './refresh-notifications.ts'

// A channel that opens would read the list at any time.
vi.mock('./use-live-notifications.ts', () => ({ useLiveNotifications: () => undefined, refreshLater: () => undefined }))

const row = (id: string): Notification => ({
  id,
  type: 'other',
  title: `Notification ${id}`,
  message: '',
  is_read: true,
  created_at: '2024-05-04T10:00:00Z',
  poll_id: null,
})

/** A table that answers each read with its rows at that time, but only when told to, like the deletions. The first read is answered at once. */
function slowTable(...ids: string[]) {
  let rows = ids.map(row)
  let reads = 0
  let holds = true
  const held: (() => void)[] = []
  const deletions = new Map<string, (succeeds: boolean) => void>()
  network.use(
    http.head('*/rest/v1/notifications', () => new HttpResponse(null, { headers: { 'content-range': '*/0' } })),
    http.get('*/rest/v1/notifications', async () => {
      const found = rows
      reads += 1
      if (holds && reads > 1) await new Promise<void>((answer) => held.push(answer))
      return HttpResponse.json(found)
    }),
    http.delete('*/rest/v1/notifications', async ({ request }) => {
      const id = new URL(request.url).searchParams.get('id')?.replace('eq.', '') ?? ''
      const succeeds = await new Promise<boolean>((resolve) => deletions.set(id, resolve))
      if (!succeeds) return HttpResponse.json({ message: 'down' }, { status: 500 })
      rows = rows.filter((one) => one.id !== id)
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const found = async <Request,>(find: () => Request | undefined): Promise<Request> => {
    await waitFor(() => expect(find()).toBeDefined())
    return find() as Request
  }
  return {
    reads: () => reads,
    /** Answers the read of this place after the first. */
    answer: async (place: number) => (await found(() => held[place]))(),
    answerAll: () => {
      holds = false
      for (const answer of held) answer()
    },
    commit: async (id: string) => (await found(() => deletions.get(id)))(true),
    reject: async (id: string) => (await found(() => deletions.get(id)))(false),
  }
}

async function remove(id: string) {
  const item = (await screen.findByText(`Notification ${id}`)).closest('li') as HTMLElement
  await userEvent.click(within(item).getByRole('button', { name: /Delete/ }))
  await waitFor(() => expect(screen.queryByText(`Notification ${id}`)).not.toBeInTheDocument())
}

/** Requests that are answered after all earlier answers have arrived and show. */
async function exchange() {
  for (let n = 0; n < 3; n += 1) await act(async () => supabase.rpc('count_new_posts', undefined, { get: true }))
}

it('does not bring back what was deleted while the list was read [NOTI-09, NOTI-14]', async () => {
  signIn()
  const table = slowTable('a', 'b')
  renderRoute('/notifications')
  await remove('a')
  await table.commit('a')
  await waitFor(() => expect(table.reads()).toBe(2)) // it still finds b
  await remove('b')
  await table.commit('b')
  await table.answer(1)
  await exchange()
  await table.answer(0)
  await exchange()
  expect(screen.queryByText('Notification b')).not.toBeInTheDocument()
})

it('reads the list again only when the last of several deletions is confirmed [NOTI-09]', async () => {
  signIn()
  const table = slowTable('a', 'b', 'c')
  const { queryClient } = renderRoute('/notifications')
  await remove('a')
  await remove('b')
  await table.commit('a')
  await table.commit('b')
  await waitFor(() => expect(table.reads()).toBeGreaterThan(1))
  table.answerAll()
  await refreshNotifications(queryClient)
  expect(table.reads()).toBe(3)
  expect(screen.getByText('Notification c')).toBeVisible()
})

it('shows all again after a rejected deletion, once the others are confirmed [NOTI-11]', async () => {
  signIn()
  const table = slowTable('a', 'b', 'c')
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => warn.mockRestore())
  renderRoute('/notifications')
  await remove('a')
  await remove('b')
  await table.reject('a')
  await waitFor(() => expect(warn).toHaveBeenCalledWith('A notification could not be deleted:', 'down'))
  table.answerAll()
  await table.commit('b')
  expect(await screen.findByText('Notification a')).toBeVisible()
  expect(screen.queryByText('Notification b')).not.toBeInTheDocument()
})
