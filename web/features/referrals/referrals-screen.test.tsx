import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { giveShareSheet } from '../../testing/share-sheet.ts'
import { signIn } from '../../testing/sign-in.ts'

const link = 'http://localhost:3000/?ref=REF22222222'
const stats = {
  total_referrals: 24,
  completed_referrals: 21,
  pending_referrals: 3,
  total_earned: 2050,
  pending_rewards: 100,
}
const build = (over: object) => ({
  id: crypto.randomUUID(),
  referral_code: 'REF22222222',
  status: 'pending',
  reward_amount: 0,
  commission_amount: 0,
  created_at: '2024-05-04T10:00:00Z',
  ...over,
})

function open({ history = [] as object[], referrer = [] as object[] } = {}) {
  signIn()
  network.use(
    answer('rpc/get_referral_stats', stats as never),
    answer('referrals', history as never),
    answer('rpc/get_my_referrer', referrer as never),
  )
  renderRoute('/referrals')
}
afterEach(() => vi.restoreAllMocks())

it('shows the program with its numbers [REF-01, REF-03, REF-04, REF-05, REF-06, REF-10, REF-12, REF-23, RPC-03]', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Referral Program' })).toBeVisible()
  expect(screen.getByText('Earn up to $750 referring content creators to our platform!')).toBeVisible()
  const numbers = await screen.findByLabelText('Your stats')
  expect(numbers).toHaveTextContent('Total Referrals24')
  expect(numbers).toHaveTextContent('Completed Referrals212 rewards earned')
  expect(numbers).toHaveTextContent('Total Earnings$20.50')
  const how = screen.getByRole('heading', { name: 'How It Works' }).closest('section') as HTMLElement
  expect(
    within(how)
      .getAllByRole('heading', { level: 3 })
      .map((step) => step.textContent),
  ).toEqual(['Share your link', 'They sign up', 'Earn rewards'])
  expect(within(how).getByText(/^You both get credit/)).toBeVisible()
  expect(within(how).getByText(/They must be 18 or older\./)).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Referral History' })).not.toBeInTheDocument()
})

it('gives out the code and the link, and copies it [REF-07, REF-08, REF-14, D30]', async () => {
  const user = userEvent.setup()
  open()
  expect(await screen.findByRole('heading', { name: 'Your Referral Link' })).toBeVisible()
  expect(screen.getByLabelText('Referral code')).toHaveValue('REF22222222')
  expect(screen.getByLabelText('Referral code')).toHaveAttribute('readonly')
  expect(screen.getByLabelText('Referral link')).toHaveValue(link)
  expect(screen.getByLabelText('Referral link')).toHaveAttribute('readonly')
  await user.click(screen.getByRole('button', { name: 'Copy link' }))
  expect(await screen.findByText('Referral link copied!')).toBeVisible()
  expect(screen.getByText('Share this link to earn rewards when people sign up.')).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(link)
})

it('shares by the device’s sheet where there is one, else copies [REF-09]', async () => {
  const user = userEvent.setup()
  open()
  const share = vi.fn(async () => undefined)
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText('Referral link copied!')).toBeVisible()
  giveShareSheet(share)
  await user.click(screen.getByRole('button', { name: 'Share' }))
  expect(share).toHaveBeenCalledWith({ title: 'Ovation', url: link })
})

it('lists each referral with its status and its reward, and has no history without referrals [REF-11, REF-12, D31]', async () => {
  open()
  await screen.findByText('2 rewards earned')
  expect(screen.queryByRole('heading', { name: 'Referral History' })).not.toBeInTheDocument()
  cleanup()
  open({
    history: [build({ status: 'paid', reward_amount: 1000 }), build({ status: 'completed' }), build({})],
    referrer: [{ id: 'x', username: 'noor', display_name: 'Noor Haddad', avatar_url: null }],
  })
  const heading = await screen.findByRole('heading', { name: 'Referral History' })
  const rows = within(heading.closest('section') as HTMLElement).getAllByRole('listitem')
  expect(rows[0]).toHaveTextContent('REF22222222May 4, 2024+$10.00Paid')
  expect(rows[1]).toHaveTextContent('Completed')
  expect(rows[2]).toHaveTextContent('Pending')
  expect(rows.map((row) => row.querySelector('[data-variant=outline]') !== null)).toEqual([false, false, true])
  expect(screen.getByText('Noor Haddad invited you.')).toBeVisible()
})

it('tells when the numbers cannot be loaded, keeps the link, and recovers [REF-13]', async () => {
  signIn()
  network.use(fail('rpc/get_referral_stats'), answer('referrals', []), answer('rpc/get_my_referrer', []))
  renderRoute('/referrals')
  expect((await screen.findAllByText('Failed to load referral data'))[0]).toBeVisible()
  expect(await screen.findByText('Error')).toBeVisible()
  expect(screen.getByLabelText('Referral link')).toHaveValue(link)
  network.use(answer('rpc/get_referral_stats', stats as never))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('2 rewards earned')).toBeVisible()
})

it('sends a visitor to sign in, and back here afterwards [REF-02, D35]', async () => {
  const { router } = renderRoute('/referrals')
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/auth', search: '?next=%2Freferrals' }))
})
