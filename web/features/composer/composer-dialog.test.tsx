import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const plan = { id: 'plan-1', name: 'Monthly', description: null, price_cents: 999, interval: 'month', trial_days: 0 }

beforeEach(() => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:preview', revokeObjectURL: () => undefined }))
})

async function openComposer(plans = [plan]) {
  signIn({ is_verified: true, is_creator: true })
  network.use(answer('rpc/get_feed', [buildPost()]), answer('subscription_products', plans))
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Create Post' }))
  return within(await screen.findByRole('dialog', { name: 'Create Post' }))
}

/** Answers uploads, and the insert of the post; keeps what was inserted and uploaded. */
function accept(upload: () => Response = () => HttpResponse.json({ Key: 'k' })) {
  const inserted: Record<string, unknown>[] = []
  const uploaded: string[] = []
  network.use(
    http.post('*/storage/v1/object/posts/*', ({ request }) => {
      const response = upload()
      if (response.ok) uploaded.push(new URL(request.url).pathname.replace('/storage/v1/object/posts/', ''))
      return response
    }),
    http.post('*/rest/v1/posts', async ({ request }) => {
      inserted.push((await request.json()) as Record<string, unknown>)
      return new HttpResponse(null, { status: 201 })
    }),
  )
  return { inserted, uploaded }
}

const photo = (name = 'one.jpg', type = 'image/jpeg') => new File(['x'], name, { type })
const choose = (...files: File[]) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file input')
  fireEvent.change(input, { target: { files } })
}

it('has a title, content, media and an audience of Free, the plans and pay-per-view [POST-17, POST-18, POST-20]', async () => {
  const dialog = await openComposer()
  for (const label of ['Title', 'Content']) expect(dialog.getByLabelText(label)).toBeVisible()
  expect(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' })).toBeVisible()
  expect(dialog.getByRole('radio', { name: 'Free' })).toBeChecked()
  expect(dialog.getByRole('radio', { name: 'Pay-per-view' })).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Create Post' })).toBeEnabled()
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled()
})

it('needs content or a file [POST-21]', async () => {
  const { inserted } = accept()
  const dialog = await openComposer()
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await dialog.findByText('Please add some content or upload files')).toBeVisible()
  expect(dialog.getByLabelText('Content')).toHaveFocus()
  expect(inserted).toEqual([])
})

it('publishes for everyone [POST-18, API-REST-25]', async () => {
  const { inserted } = accept()
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Title'), ' First light ')
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(inserted).toEqual([
    {
      creator_id: viewerProfile.id,
      title: 'First light',
      content: 'Some words',
      post_type: 'free',
      media_urls: [],
      media_types: [],
    },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

it('publishes files for the subscribers of a plan, in the order chosen [POST-17, POST-22, API-STO-01]', async () => {
  const { inserted, uploaded } = accept()
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.png', 'image/png'))
  expect(await dialog.findByText('one.jpg')).toBeVisible()
  await userEvent.click(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  const [post] = inserted
  expect(post).toMatchObject({ post_type: 'subscription', required_tier_id: 'plan-1', media_types: ['image', 'image'] })
  expect(post?.media_urls).toEqual([
    expect.stringMatching(new RegExp(`^${viewerProfile.user_id}/\\d+-[0-9a-f]{8}\\.jpg$`)),
    expect.stringMatching(/\.png$/),
  ])
  expect(post?.media_urls).toEqual(expect.arrayContaining(uploaded))
  expect(uploaded).toHaveLength(2)
})

it('publishes pay-per-view with its price of at least $1.00 [POST-19, D26]', async () => {
  const { inserted } = accept()
  const dialog = await openComposer([])
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  const price = await dialog.findByLabelText('Price in USD')
  await userEvent.type(price, '0.99')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await dialog.findByText('Enter a price of at least $1.00')).toBeVisible()
  await userEvent.clear(price)
  await userEvent.type(price, '12.50')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(inserted).toMatchObject([{ post_type: 'ppv', ppv_price: 12.5 }])
})

it('refuses a selection with a bad file as a whole [POST-24, POST-26, POST-28]', async () => {
  const dialog = await openComposer()
  choose(photo(), photo('notes.pdf', 'application/pdf'))
  expect(await screen.findByText('Unsupported Files')).toBeVisible()
  expect(dialog.queryByText('one.jpg')).not.toBeInTheDocument()
})

it('tells how many files failed, and sends only those again [POST-29, POST-33, POST-35]', async () => {
  let calls = 0
  const { inserted, uploaded } = accept(() =>
    ++calls === 2
      ? HttpResponse.json({ statusCode: '413', error: 'Payload too large', message: 'too big' }, { status: 400 })
      : HttpResponse.json({ Key: 'k' }),
  )
  const dialog = await openComposer()
  choose(photo('one.jpg'), photo('two.jpg'))
  await dialog.findByText('two.jpg')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Upload incomplete: 1/2 files uploaded')).toBeVisible()
  expect(screen.getByText(/Try compressing the file/)).toBeVisible()
  expect(dialog.getByText(/Failed/)).toBeVisible()
  expect(inserted).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Post created')).toBeVisible()
  expect(uploaded).toHaveLength(2)
  expect(inserted[0]?.media_urls).toHaveLength(2)
})

it('says why the post was refused, and keeps what was written [POST-23]', async () => {
  accept()
  network.use(
    http.post('*/rest/v1/posts', () =>
      HttpResponse.json({ code: '42501', message: 'Only approved creators can publish posts' }, { status: 403 }),
    ),
  )
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  expect(await screen.findByText('Upload Error')).toBeVisible()
  expect(screen.getByText('Only approved creators can publish posts')).toBeVisible()
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
})

it('leads the focus back to the button that opened it', async () => {
  await openComposer()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.getByRole('button', { name: 'Create Post' })).toHaveFocus()
})

it('asks before it throws away what was written', async () => {
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Discard this post?' }))
  await userEvent.click(asked.getByRole('button', { name: 'Cancel' }))
  expect(dialog.getByLabelText('Content')).toHaveValue('Some words')
})
