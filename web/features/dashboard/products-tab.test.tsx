import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { creator } from '../../testing/dashboard.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'

const id = '70000000-0000-4000-8000-000000000001'
const card = {
  id,
  title: 'Brushes',
  cover_path: null,
  price_cents: 1200,
  your_price_cents: 1200,
  takes_more: false,
  stock_left: 2,
  file_count: 1,
  size_bytes: 1024,
  status: 'published',
  is_bought: false,
  sold: 3,
  created_at: '2024-05-01T10:00:00Z',
  taken_down_at: null as string | null,
}
const page = {
  ...card,
  description: 'For watercolor.',
  subscriber_percent_off: 10,
  stock: 5,
  version: 1,
  version_note: null,
  version_at: null,
  bought_at: null,
  is_own: true,
  files: [{ format: 'zip', size_bytes: 1024, path: 'u/1', name: 'brushes.zip' }],
  creator_id: 'creator-1',
  creator_username: 'ada',
  creator_name: 'Ada Lovelace',
  creator_avatar_url: null,
  creator_updated_at: '2024-05-01T10:00:00Z',
}
/** What the functions were called with. */
function record(...names: string[]) {
  const calls: unknown[] = []
  network.use(
    ...names.map((name) =>
      http.post(`*/rest/v1/rpc/${name}`, async ({ request }) => {
        calls.push([name, await request.json()])
        return HttpResponse.json(id)
      }),
    ),
  )
  return calls
}
/** Stores every file. */
function storeFiles() {
  network.use(
    http.post('*/storage/v1/object/products/*', () => HttpResponse.json({ Id: 'object-1', Key: 'products/u/1' })),
  )
}

describe('the products of a creator', () => {
  it('show price, sales, and stock, and can be put up for sale and taken off [OFFER-05]', async () => {
    creator({ 'rpc/get_products': [card] })
    const calls = record('set_product_status')
    renderRoute('/dashboard?tab=products')
    expect(await screen.findByRole('link', { name: 'Brushes' })).toHaveAttribute(
      'href',
      expect.stringContaining(`tab=products&product=${id}`),
    )
    for (const words of ['For sale', '$12.00', '3 sold', '2 left']) expect(screen.getByText(words)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Stop selling Brushes' }))
    expect(await screen.findByText(/isn't for sale anymore/)).toBeVisible()
    expect(calls).toEqual([['set_product_status', { product_id: id, status: 'archived' }]])
  })

  it('can’t be changed when an admin took one down, and deleted only if nobody has bought it [D43, OFFER-05]', async () => {
    const down = { status: 'archived', taken_down_at: '2024-07-01T10:00:00Z' }
    creator({ 'rpc/get_products': [{ ...card, ...down }], 'rpc/get_product': [{ ...page, ...down, sold: 3 }] })
    renderRoute('/dashboard?tab=products')
    expect(await screen.findByText('Taken down')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Put Brushes up/ })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('link', { name: 'Brushes' }))
    expect(await screen.findByText(/An admin took this product down/)).toBeVisible()
    expect(screen.queryByLabelText(/^Title/)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Delete product' })).not.toBeInTheDocument()
    cleanup()
    creator({ 'rpc/get_product': [{ ...page, ...down, sold: 0 }] })
    renderRoute(`/dashboard?tab=products&product=${id}`)
    expect(await screen.findByRole('button', { name: 'Delete product' })).toBeVisible()
  })

  it('say when there are none, and offer Retry when they fail to load [OFFER-05]', async () => {
    creator()
    network.use(fail('rpc/get_products'))
    renderRoute('/dashboard?tab=products')
    expect(await screen.findByText("Couldn't load your products")).toBeVisible()
    network.use(answer('rpc/get_products', []))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No products yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'New product' })).toHaveAttribute(
      'href',
      expect.stringContaining('product=new'),
    )
  })
})

describe('the form', () => {
  it('uploads files of any type and saves a draft [OFFER-05]', async () => {
    creator({ 'rpc/get_products': [] })
    storeFiles()
    const calls = record('save_product')
    const { router } = renderRoute('/dashboard?tab=products&product=new')
    await userEvent.type(await screen.findByLabelText(/^Title/), ' Brushes ')
    await userEvent.type(screen.getByLabelText(/^Price/), '12')
    await userEvent.type(screen.getByLabelText('Stock'), '5')
    await userEvent.click(screen.getByLabelText('Let fans pay more'))
    await userEvent.upload(screen.getByLabelText('Files'), new File(['one'], 'brushes.abr'))
    expect(await screen.findByText('brushes.abr')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('progressbar')).not.toBeInTheDocument())
    await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
    expect(await screen.findByText('Draft saved. Put it up for sale when you are ready.')).toBeVisible()
    expect(calls).toEqual([
      [
        'save_product',
        {
          title: 'Brushes',
          price_cents: 1200,
          takes_more: true,
          subscriber_percent_off: 0,
          stock: 5,
          files: [{ path: expect.stringMatching(/^11111111-/), name: 'brushes.abr' }],
        },
      ],
    ])
    await waitFor(() => expect(router.state.location.search).toBe('?tab=products'))
  })

  it('doesn’t save before all files are uploaded, and uploads a failed one again [OFFER-05]', async () => {
    creator({ 'rpc/get_products': [] })
    network.use(
      http.post('*/storage/v1/object/products/*', () =>
        HttpResponse.json({ statusCode: '500', message: 'Down' }, { status: 400 }),
      ),
    )
    const calls = record('save_product')
    renderRoute('/dashboard?tab=products&product=new')
    await userEvent.type(await screen.findByLabelText(/^Title/), 'Brushes')
    await userEvent.type(screen.getByLabelText(/^Price/), '12')
    await userEvent.upload(screen.getByLabelText('Files'), new File(['one'], 'brushes.abr'))
    expect(await screen.findByText(/Upload failed/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
    expect(await screen.findByText('Wait until all files are uploaded, or remove those that failed.')).toBeVisible()
    expect(calls).toEqual([])
    storeFiles()
    await userEvent.click(screen.getByRole('button', { name: 'Upload brushes.abr again' }))
    await waitFor(() => expect(screen.queryByText(/Upload failed/)).not.toBeInTheDocument())
    await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
    await waitFor(() => expect(calls).toHaveLength(1))
  })

  it('changes a product, and notifies buyers of a new version [OFFER-05]', async () => {
    creator({ 'rpc/get_product': [page], 'rpc/get_products': [card] })
    const calls = record('save_product')
    renderRoute(`/dashboard?tab=products&product=${id}`)
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('Brushes')
    expect(screen.getByText(/keep the files you remove/)).toBeVisible()
    // It is sold, so it can't be deleted.
    expect(screen.queryByRole('button', { name: 'Delete product' })).not.toBeInTheDocument()
    await userEvent.type(screen.getByLabelText("What's new"), 'Ten more')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    expect(await screen.findByText('Product saved. Buyers will be notified.')).toBeVisible()
    expect(calls).toMatchObject([
      [
        'save_product',
        { product_id: id, stock: 5, subscriber_percent_off: 10, version_note: 'Ten more', files: [{ path: 'u/1' }] },
      ],
    ])
  })

  it('deletes a product that nobody has bought [OFFER-05]', async () => {
    creator({ 'rpc/get_product': [{ ...page, status: 'draft', sold: 0 }], 'rpc/get_products': [] })
    const calls = record('delete_product')
    renderRoute(`/dashboard?tab=products&product=${id}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete product' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Product deleted')).toBeVisible()
    expect(calls).toEqual([['delete_product', { product_id: id }]])
  })

  it.each([
    [/^Price/, '0.5', 'Enter a price of at least $1.00'],
    ['Discount for subscribers', '95', 'Enter a whole number up to 90'],
    ['Stock', '0', 'Enter a whole number from 1 to 1,000,000'],
  ])('rejects %s of %s [OFFER-05]', async (label, value, words) => {
    creator({ 'rpc/get_products': [] })
    const calls = record('save_product')
    renderRoute('/dashboard?tab=products&product=new')
    await userEvent.type(await screen.findByLabelText(/^Title/), 'Brushes')
    await userEvent.type(screen.getByLabelText(label), value)
    await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
    expect(await screen.findByText(words)).toBeVisible()
    expect(calls).toEqual([])
  })
})
