import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { Gift } from '../../domain/gifts/queries.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const build = (over: Partial<Gift> = {}): Gift => ({
  state: 'open',
  plan_name: 'Backstage',
  months: 3,
  creator_username: 'noor',
  creator_name: 'Noor Haddad',
  creator_avatar_url: null,
  creator_updated_at: '2024-01-01T00:00:00Z',
  giver_name: 'Gil',
  message: 'Happy birthday!',
  expires_at: '2100-03-04T12:00:00Z',
  ...over,
})

it('shows what the gift is, and redeems it [OFFER-02]', async () => {
  signIn()
  const asked: unknown[] = []
  network.use(
    answer('rpc/get_gift', [build()]),
    http.post('*/rest/v1/rpc/redeem_gift', async ({ request }) => {
      asked.push(await request.json())
      network.use(answer('rpc/get_gift', [build({ state: 'yours' })]))
      return HttpResponse.json('s1')
    }),
  )
  renderRoute('/gift/abc123')
  expect(await screen.findByRole('heading', { name: 'Gil gave you a gift' })).toBeVisible()
  expect(screen.getByRole('heading', { name: '3 months of Backstage' })).toBeVisible()
  expect(screen.getByText('Happy birthday!')).toBeVisible()
  expect(screen.getByText(/You can redeem it until Mar 4, 2100\./)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Redeem gift' }))
  expect(await screen.findByText('You now subscribe to Noor Haddad')).toBeVisible()
  expect(await screen.findByText("You've redeemed this gift.")).toBeVisible()
  expect(screen.getByRole('link', { name: 'Go to Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(asked).toEqual([{ code: 'abc123' }])
})

it('lets visitors sign in first, and come back', async () => {
  network.use(answer('rpc/get_gift', [build({ giver_name: null, message: null })]))
  const { router } = renderRoute('/gift/abc123')
  expect(await screen.findByRole('heading', { name: 'A gift for you', level: 1 })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Sign in to redeem it' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  expect(new URLSearchParams(router.state.location.search).get('next')).toBe('/gift/abc123')
})

it.each([
  ['redeemed', 'This gift was already redeemed.'],
  ['closed', "This gift can't be redeemed any more."],
  ['own', "This gift is from you. Share its link with the person it's for."],
  ['for_another', 'This gift is for someone else. Sign in to the account it was sent to.'],
  ['subscribed', 'You already subscribe to this creator. You can redeem the gift when your subscription has ended.'],
  ['unavailable', "This creator isn't available to you right now."],
])('says why a gift that is %s can’t be redeemed', async (state, words) => {
  signIn()
  network.use(answer('rpc/get_gift', [build({ state })]))
  renderRoute('/gift/abc123')
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Redeem gift' })).not.toBeInTheDocument()
})

it('says that an unknown gift isn’t there', async () => {
  network.use(answer('rpc/get_gift', []))
  renderRoute('/gift/nothing')
  expect(await screen.findByRole('heading', { name: 'Gift not found' })).toBeVisible()
})

it('recovers when loading fails, and shows why redeeming failed', async () => {
  signIn()
  network.use(fail('rpc/get_gift'))
  renderRoute('/gift/abc123')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(
    answer('rpc/get_gift', [build()]),
    http.post('*/rest/v1/rpc/redeem_gift', () =>
      HttpResponse.json(
        { code: 'PT409', message: 'This gift was already redeemed', details: 'gift_redeemed', hint: null },
        { status: 409 },
      ),
    ),
  )
  await userEvent.click(retry)
  await userEvent.click(await screen.findByRole('button', { name: 'Redeem gift' }))
  expect(await screen.findByText('This gift was already redeemed')).toBeVisible()
})
