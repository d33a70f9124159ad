import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { signIn } from '../../../testing/sign-in.ts'
import type { ListedPayment } from './payment-queries.ts'

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
  target: null,
  target_at: null,
  is_repeated: false,
  refund_effect: 'none',
}

/** @returns the searches sent. */
function openPayments(address: string, payments: ListedPayment[] = [payment]) {
  signIn({ role: 'admin' })
  const searches: (string | undefined)[] = []
  network.use(
    http.post('*/rest/v1/rpc/get_payments', async ({ request }) => {
      searches.push(((await request.json()) as { search?: string }).search)
      return HttpResponse.json(payments)
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

/** Opens the dialog of the only payment. @returns its text. */
async function askToRefund(over: Partial<ListedPayment>) {
  openPayments('/admin/payments', [{ ...payment, ...over }])
  await userEvent.click(await screen.findByRole('button', { name: 'Refund $10.00 from Fay Wong' }))
  return (await screen.findByRole('dialog', { name: 'Refund $10.00 to Fay Wong?' })).textContent
}
const at = (date: string) => new RegExp(`${date}, \\d+:00\\s[AP]M`)

it('says what each payment was for and when, and which were paid twice [LOOP-24]', async () => {
  const rows: Partial<ListedPayment>[] = [
    { transaction_type: 'ppv', target: '"Dunes at dawn"', is_repeated: true },
    { transaction_type: 'subscription', target: 'Gold' },
    { transaction_type: 'private_session', target: 'A talk', target_at: '2026-03-04T10:00:00Z' },
    { transaction_type: 'paid_message', target_at: '2026-03-05T10:00:00Z' },
    { transaction_type: 'refund', target_at: '2026-03-05T10:00:00Z', reason: 'Paid again', amount: -1_000 },
    { transaction_type: 'tip' },
  ]
  openPayments(
    '/admin/payments',
    rows.map((over, index) => ({ ...payment, id: `payment-${index}`, ...over })),
  )
  const list = await screen.findByRole('list', { name: 'Payments' })
  const lines = within(list).getAllByRole('listitem')
  const texts = lines.map(({ textContent }) => textContent ?? '')
  expect(texts[0]).toContain('Pay-per-view post · "Dunes at dawn"')
  expect(texts[1]).toContain('Subscription · Gold')
  expect(texts[2]).toMatch(new RegExp(`Private session · A talk · ${at('Mar 4, 2026').source}`))
  expect(texts[3]).toMatch(new RegExp(`Paid message from Noor Haddad · sent ${at('Mar 5, 2026').source}`))
  expect(texts[4]).toMatch(new RegExp(`Refund · message sent ${at('Mar 5, 2026').source} · Paid again`))
  expect(texts[5]).not.toContain('·')
  for (const text of texts) expect(text).toMatch(at('Jan 2, 2026'))
  expect(texts.map((text) => text.includes('Paid twice'))).toEqual([true, false, false, false, false, false])
})

it('repeats in the dialog which payment is refunded [LOOP-24, D40]', async () => {
  const text = await askToRefund({ transaction_type: 'ppv', target: '"Dunes at dawn"', refund_effect: 'ends' })
  expect(text).toContain('Pay-per-view post · "Dunes at dawn"')
  expect(text).toMatch(new RegExp(`Paid ${at('Jan 2, 2026').source}`))
})

it.each([
  ['subscription', 'ends', 'Their subscription and their access end now.'],
  ['subscription', 'covered', 'They keep their access, because another payment covers it.'],
  ['ppv', 'ends', 'They lose access to the post.'],
  ['ppv', 'covered', 'They keep access to the post, because another payment unlocked it.'],
  ['paid_message', 'ends', 'The message is locked for them again.'],
  ['paid_message', 'covered', 'The message stays unlocked, because another payment unlocked it.'],
  ['tip', 'none', 'They lose nothing, because a tip gives no access.'],
  ['private_session', 'ends', 'The session is canceled.'],
  ['private_session', 'none', 'No session is canceled: none is upcoming for this payment.'],
] as const)('says what the refund of a payment takes away: %s, %s [D40]', async (kind, effect, words) => {
  const text = await askToRefund({ transaction_type: kind, refund_effect: effect })
  expect(text).toContain(`They get the full amount back, including the fee. ${words} This can't be undone.`)
})

it('points to the other payment when this one gives the access [D40]', async () => {
  const other = 'refund the other payment instead'
  expect(await askToRefund({ transaction_type: 'ppv', refund_effect: 'ends', is_repeated: true })).toContain(other)
})

it("doesn't point to the other payment when this one isn't needed [D40]", async () => {
  const other = 'refund the other payment instead'
  const text = await askToRefund({ transaction_type: 'ppv', refund_effect: 'covered', is_repeated: true })
  expect(text).not.toContain(other)
})
