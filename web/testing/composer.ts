import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { answer, network } from './network.ts'
import { renderRoute } from './render-route.tsx'
import { buildPost } from './rows.ts'
import { signIn } from './sign-in.ts'

export const plan = {
  id: 'plan-1',
  name: 'Monthly',
  description: null,
  price_cents: 999,
  interval: 'month',
  trial_days: 0,
  benefits: [] as string[],
  is_popular: false,
  terms: [],
  creator: { tiered_access: false },
}

/** A creator with these plans opens the composer. */
export async function openComposer(plans = [plan]) {
  signIn({ is_verified: true, is_creator: true })
  network.use(answer('rpc/get_feed', [buildPost()]), answer('subscription_products', plans))
  renderRoute('/')
  await userEvent.click(await screen.findByRole('button', { name: 'Create Post' }))
  return within(await screen.findByRole('dialog', { name: 'Create Post' }))
}

/** Responds to uploads and to the insert of the post; records both. */
export function accept(upload: () => Response = () => HttpResponse.json({ Key: 'k' })) {
  const inserted: Record<string, unknown>[] = []
  const uploaded: string[] = []
  network.use(
    http.post('*/storage/v1/object/posts/*', ({ request }) => {
      const response = upload()
      if (response.ok) uploaded.push(new URL(request.url).pathname.replace('/storage/v1/object/posts/', ''))
      return response
    }),
    // The creator has published before.
    http.get('*/rest/v1/posts', () => HttpResponse.json([{ id: 'one' }, { id: 'another' }])),
    http.post('*/rest/v1/posts', async ({ request }) => {
      inserted.push((await request.json()) as Record<string, unknown>)
      return new HttpResponse(null, { status: 201 })
    }),
  )
  return { inserted, uploaded }
}

/** A file as a browser provides it. */
export const photo = (name = 'one.jpg', type = 'image/jpeg') => new File(['x'], name, { type })
/** Selects files in the field, even those that its filter would gray out. */
export const choose = (...files: File[]) => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('no file input')
  fireEvent.change(input, { target: { files } })
}

/** Clicks the publish button. */
export const submit = (dialog: Awaited<ReturnType<typeof openComposer>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
