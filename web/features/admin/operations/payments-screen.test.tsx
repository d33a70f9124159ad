import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { signIn } from '../../../testing/sign-in.ts'
import type { ListedPayment } from './queries.ts'

/** The code of profiles loads when a test says so. */
const profiles = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('../../../app/routes/profile.ts', async () => {
  await profiles.promise
  return { Component: () => null, loader: undefined }
})

const payment: ListedPayment = {
  id: 'payment-1',
  created_at: '2026-01-02T10:00:00Z',
  transaction_type: 'tip',
  status: 'completed',
  amount: 1_000,
  fee_amount: 100,
  net_amount: 900,
  refunded_amount: 0,
  reason: null,
  payer_username: 'fay',
  payer_name: 'Fay Wong',
  creator_username: 'noor',
  creator_name: 'Noor Haddad',
}

/** @returns the searches sent. */
function openPayments(address: string) {
  signIn({ role: 'admin' })
  const searches: (string | undefined)[] = []
  network.use(
    http.post('*/rest/v1/rpc/get_payments', async ({ request }) => {
      searches.push(((await request.json()) as { search?: string }).search)
      return HttpResponse.json([payment])
    }),
  )
  return { ...renderRoute(address), searches }
}
const field = () => screen.findByLabelText('Search by fan or creator')

it('starts over from a link to all payments [LOOP-24]', async () => {
  const { router, searches } = openPayments('/admin/payments?q=bob')
  expect(await field()).toHaveValue('bob')
  await waitFor(() => expect(searches.at(-1)).toBe('bob'))
  const rail = within(screen.getByRole('navigation', { name: 'Administration' }))
  await userEvent.click(rail.getByRole('link', { name: 'Payments' }))
  await waitFor(async () => expect(await field()).toHaveValue(''))
  await waitFor(() => expect(searches.at(-1)).toBeUndefined())
  expect(router.state.location.search).toBe('')
})

it('keeps its history entry, and so its place on the page, and stays there while it searches [LOOP-24]', async () => {
  const { router, searches } = openPayments('/admin/payments?q=bob')
  expect(await screen.findByRole('link', { name: 'Noor Haddad' })).toBeVisible()
  expect(router.state.location.key).toBe('default')
  await userEvent.type(await field(), 'by')
  await waitFor(() => expect(searches.at(-1)).toBe('bobby'))
  expect(router.state.location.search).toBe('?q=bobby')
  expect(router.state.preventScrollReset).toBe(true)
})

it('follows a link that is clicked before a search begins [LOOP-24]', async () => {
  const { router } = openPayments('/admin/payments')
  const link = await screen.findByRole('link', { name: 'Noor Haddad' })
  const input = await field()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  act(() => input.focus())
  fireEvent.change(input, { target: { value: 'fay' } })
  act(() => link.focus())
  fireEvent.click(link)
  act(() => void vi.advanceTimersByTime(1_000))
  vi.useRealTimers()
  profiles.resolve()
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/noor'))
})
