import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost, noor } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const question = { name: 'Continue where you left off' }
const follow = `/profile/noor?continue=follow:${noor.id}`

it('follows a creator only when the user confirms it [LOOP-04]', async () => {
  signIn()
  serveProfile()
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/follows', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
  )
  const { router } = renderRoute(follow)
  const dialog = within(await screen.findByRole('dialog', question))
  expect(sent).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Follow Noor Haddad' }))
  await waitFor(() => expect(sent).toEqual([{ follower_id: viewerProfile.id, following_id: noor.id }]))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(router.state.location.search).toBe('')
  expect(screen.getByRole('button', { name: 'Following Noor Haddad' })).toBeVisible()
})

it('covers the screen until the question is there [LOOP-04]', async () => {
  signIn()
  serveProfile()
  let respond: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    respond = resolve
  })
  network.use(
    http.get('*/rest/v1/follows', async () => {
      await held
      return HttpResponse.json([])
    }),
  )
  renderRoute(follow)
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(document.querySelector('[data-opening]')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  respond?.()
  expect(await screen.findByRole('dialog', question)).toBeVisible()
  expect(document.querySelector('[data-opening]')).not.toBeInTheDocument()
})

it.each([
  ['with a promotion code, says that the price comes', '&code=SPRING', true],
  ['without one, leaves the price as it is', '', false],
])('%s before paying [LOOP-04]', async (_what, code, isSaid) => {
  signIn()
  serveProfile()
  const id = 'd0000000-0000-4000-8000-000000000001'
  const plan = {
    id,
    name: 'Darkroom',
    description: '',
    price_cents: 999,
    interval: 'month',
    trial_days: 0,
    benefits: [],
    terms: [],
  }
  network.use(answer('subscription_products', [{ ...plan, creator_id: noor.id, creator: noor }]))
  renderRoute(`/profile/noor?continue=subscribe:${id}${code}`)
  const dialog = within(await screen.findByRole('dialog', question))
  expect(dialog.getByText('$9.99')).toBeVisible()
  const words = "You'll see the price with your code before you pay."
  expect(dialog.queryByText(words) !== null).toBe(isSaid)
  expect(dialog.queryByText(/full price/)).not.toBeInTheDocument()
})

it('asks nothing of a user who follows already, and cleans up the address [LOOP-04]', async () => {
  signIn()
  serveProfile()
  network.use(answer('follows', [{ following_id: noor.id }]))
  const { router } = renderRoute(follow)
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('asks a visitor nothing [LOOP-04]', async () => {
  serveProfile()
  renderRoute(follow)
  expect(await screen.findByRole('heading', { level: 1, name: 'Noor Haddad' })).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it.each(['follow:javascript:alert(1)', 'pay:everything', `message:${noor.id}`, `like:${noor.id}`])(
  'opens no dialog for %s, and cleans up the address [LOOP-04]',
  async (text) => {
    signIn()
    serveProfile()
    const { router } = renderRoute(`/profile/noor?tab=about&continue=${encodeURIComponent(text)}`)
    await waitFor(() => expect(router.state.location.search).toBe('?tab=about'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  },
)

it('asks nothing about what has gone in the meantime [LOOP-04]', async () => {
  signIn()
  serveProfile()
  const { router } = renderRoute('/profile/noor?continue=subscribe:d0000000-0000-4000-8000-000000000001')
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('buys a post only when the user confirms it, [LOOP-04]', async () => {
  signIn()
  const post = buildPost({ title: 'The pier', post_type: 'ppv', ppv_price: 1250, is_locked: true })
  network.use(answer('posts', [post]), answer('comments', []))
  const orders: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      orders.push(await request.json())
      return HttpResponse.json({ success: false, error: 'Stripe is down' }, { status: 502 })
    }),
  )
  const { router } = renderRoute(`/post/${post.id}?continue=buy:${post.id}`)
  const dialog = within(await screen.findByRole('dialog', question))
  expect(dialog.getByText('$12.50')).toBeVisible()
  expect(orders).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Purchase' }))
  await waitFor(() => expect(orders).toEqual([{ kind: 'ppv', targetId: post.id, savedCard: 'ask' }]))
  await userEvent.click(dialog.getByRole('button', { name: 'Not now' }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

it('does not ask to buy a post that is open already [LOOP-04]', async () => {
  signIn()
  const post = buildPost({ title: 'The pier', post_type: 'ppv', ppv_price: 1250 })
  network.use(answer('posts', [post]), answer('comments', []))
  const { router } = renderRoute(`/post/${post.id}?continue=buy:${post.id}`)
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

it('opens the tip dialog for a tip, in which the user chooses the amount [LOOP-04]', async () => {
  signIn()
  serveProfile()
  renderRoute(`/profile/noor?continue=tip:${noor.id}`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Tip Noor Haddad' }))
  expect(await dialog.findByLabelText('Amount in USD')).toBeVisible()
})
