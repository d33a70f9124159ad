import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn } from '../../testing/sign-in.ts'

const product = {
  id: 'product-1',
  title: 'Forty brushes',
  description: 'For watercolor.',
  cover_path: null,
  price_cents: 1200,
  your_price_cents: 1200,
  takes_more: false,
  subscriber_percent_off: 0,
  stock: null,
  stock_left: null,
  status: 'published',
  version: 1,
  version_note: null,
  version_at: null,
  sold: null,
  bought_at: null,
  is_own: false,
  files: [{ format: 'zip', size_bytes: 5 * 1024 ** 2 }, { size_bytes: 1024 }] as Record<string, unknown>[],
  creator_id: 'creator-1',
  creator_username: 'noor',
  creator_name: 'Noor Haddad',
  creator_avatar_url: null,
  creator_updated_at: '2024-05-01T10:00:00Z',
  taken_down_at: null,
}
const bought = {
  bought_at: '2024-05-02T10:00:00Z',
  files: [
    { format: 'zip', size_bytes: 1024, path: 'u/1', name: 'brushes.zip' },
    { format: 'zip', size_bytes: 1024, path: 'u/0', name: 'first.zip', is_earlier: true },
  ],
}
function serve(over: Partial<typeof product> | Record<string, unknown> = {}) {
  network.use(answer('rpc/get_product', [{ ...product, ...over }]))
}
/** Rejects every checkout; collects the orders. */
function orders(): unknown[] {
  const all: unknown[] = []
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      all.push(await request.json())
      return HttpResponse.json({ success: false, error: 'This product is sold out' }, { status: 409 })
    }),
  )
  return all
}

it('shows visitors what is for sale, for how much, and the formats of its files [OFFER-05]', async () => {
  serve({ stock_left: 3, subscriber_percent_off: 20 })
  const { router } = renderRoute('/product/product-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Forty brushes' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(screen.getByText('For watercolor.')).toBeVisible()
  expect(screen.getByText('3 left')).toBeVisible()
  expect(screen.getByText('Subscribers pay 20% less.')).toBeVisible()
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
    expect.arrayContaining(['ZIP file5 MB', 'File1 KB']),
  )
  expect(screen.queryByRole('button', { name: /^Download/ })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Buy for $12.00' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

it('orders the product, and says when it was sold out meanwhile [OFFER-05]', async () => {
  signIn()
  serve()
  const sent = orders()
  renderRoute('/product/product-1')
  const buy = await screen.findByRole('button', { name: 'Buy for $12.00' })
  serve({ stock_left: 0 })
  await userEvent.click(buy)
  expect(await screen.findByText('This product is sold out')).toBeVisible()
  expect(sent).toEqual([{ kind: 'product', targetId: 'product-1', savedCard: 'ask' }])
  expect(await screen.findByRole('button', { name: 'Sold out' })).toBeDisabled()
})

it('takes what the fan wants to pay, from the price on [OFFER-05]', async () => {
  signIn()
  serve({ takes_more: true, price_cents: 1200, your_price_cents: 900 })
  const sent = orders()
  renderRoute('/product/product-1')
  expect(await screen.findByText('From $9.00')).toBeVisible()
  expect(screen.getByText('Your price as a subscriber')).toBeVisible()
  const amount = screen.getByLabelText('Pay what you want')
  await userEvent.clear(amount)
  await userEvent.type(amount, '5')
  await userEvent.click(screen.getByRole('button', { name: 'Buy for $9.00' }))
  expect(screen.getByText('Enter at least $9.00')).toBeVisible()
  expect(sent).toEqual([])
  await userEvent.clear(amount)
  await userEvent.type(amount, '25')
  await userEvent.click(screen.getByRole('button', { name: 'Buy for $25.00' }))
  await waitFor(() => expect(sent).toMatchObject([{ kind: 'product', amountCents: 2500 }]))
})

it('lets buyers download each file by a signed link with its name, and says what is new [OFFER-05]', async () => {
  signIn()
  serve({ ...bought, version: 2, version_note: 'Ten more', version_at: '2024-06-01T10:00:00Z' })
  const signed: unknown[] = []
  network.use(
    http.post('*/storage/v1/object/sign/products/*', async ({ request }) => {
      signed.push([new URL(request.url).pathname.split('/').slice(-2).join('/'), await request.json()])
      return HttpResponse.json({ signedURL: '/object/sign/products/u/1?token=t' })
    }),
  )
  const followed: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.href)
  })
  onTestFinished(() => click.mockRestore())
  renderRoute('/product/product-1')
  expect(await screen.findByText('You bought this on May 2, 2024. It stays in your library.')).toBeVisible()
  expect(screen.getByText('Version 2, Jun 1, 2024')).toBeVisible()
  expect(screen.getByText('Ten more')).toBeVisible()
  expect(screen.getByText(/From an earlier version/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Download brushes.zip' }))
  await waitFor(() => expect(followed).toEqual([expect.stringContaining('token=t&download=brushes.zip')]))
  expect(signed).toEqual([['u/1', { expiresIn: 21_600 }]])
})

it('confirms the payment when its buyer returns [OFFER-05]', async () => {
  signIn()
  serve()
  network.use(
    http.post('*/functions/v1/verify-payment', () => {
      serve(bought)
      return HttpResponse.json({ status: 'paid', kind: 'product', amountCents: 1200, hasAccess: true, refund: null })
    }),
  )
  const { router } = renderRoute('/product/product-1?bought=cs_1')
  expect(await screen.findByText('Payment confirmed. Your files are ready.')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Download brushes.zip' })).toBeVisible()
  expect(router.state.location.search).toBe('')
})

it('leads its creator to the form, and says that a product is gone or can’t load [OFFER-05]', async () => {
  signIn()
  serve({ is_own: true, status: 'draft', sold: 0 })
  renderRoute('/product/product-1')
  const note = await screen.findByText("Only you can see this product until it's for sale.")
  expect(within(note.parentElement as HTMLElement).getByRole('link', { name: 'Edit product' })).toHaveAttribute(
    'href',
    '/dashboard?tab=products&product=product-1',
  )
  expect(screen.queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument()
  cleanup()
  network.use(answer('rpc/get_product', []))
  renderRoute('/product/product-2')
  expect(await screen.findByRole('heading', { name: 'Product not found' })).toBeVisible()
  cleanup()
  network.use(fail('rpc/get_product'))
  renderRoute('/product/product-3')
  expect(await screen.findByText("Couldn't load this product")).toBeVisible()
  serve()
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('heading', { name: 'Forty brushes' })).toBeVisible()
})

it('can be reported by others than its creator, who sign in first [D43, OFFER-05]', async () => {
  signIn()
  serve()
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/reports', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
  )
  const more = async () => userEvent.click(await screen.findByRole('button', { name: 'More' }))
  renderRoute('/product/product-1')
  await more()
  expect(screen.queryByRole('menuitem', { name: 'Take down product' })).not.toBeInTheDocument()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Report product' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Report this product' }))
  await userEvent.click(dialog.getByLabelText('Copyright'))
  await userEvent.click(dialog.getByRole('button', { name: 'Send report' }))
  expect(await screen.findByText("Thanks. We'll take a look.")).toBeVisible()
  expect(sent).toMatchObject([{ target_type: 'product', target_id: 'product-1', reason: 'copyright' }])
  cleanup()
  serve({ is_own: true })
  renderRoute('/product/product-1')
  await more()
  expect(await screen.findByRole('menuitem', { name: 'Share product' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Report product' })).not.toBeInTheDocument()
})

it('is taken down by admins, with a reason, and then no longer sold [D43, OFFER-05]', async () => {
  signIn({ role: 'admin' })
  serve()
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/rpc/take_down', async ({ request }) => {
      sent.push(await request.json())
      serve({ status: 'archived', taken_down_at: '2024-07-01T10:00:00Z' })
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderRoute('/product/product-1')
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take down product' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take down this product?' }))
  await userEvent.type(dialog.getByLabelText(/Reason/), 'Stolen')
  await userEvent.click(dialog.getByRole('button', { name: 'Take down' }))
  expect(await screen.findByText('An admin took this product down. Fans who bought it keep it.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument()
  expect(sent).toEqual([{ target_type: 'product', target_id: 'product-1', reason: 'Stolen' }])
})

it('counts who sees the product, but not its creator [STATX-02]', async () => {
  const counted: unknown[] = []
  network.use(
    http.post('*/functions/v1/count-page-view', async ({ request }) => {
      counted.push(await request.json())
      return HttpResponse.json({})
    }),
  )
  serve({ id: 'product-seen' })
  renderRoute('/product/product-seen')
  await expect.poll(() => counted).toEqual([{ page: 'product', id: 'product-seen' }])
  cleanup()
  signIn()
  serve({ id: 'product-own', is_own: true })
  renderRoute('/product/product-own')
  expect(await screen.findByRole('heading', { name: 'Forty brushes' })).toBeVisible()
  expect(counted).toHaveLength(1)
})
