import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { accept, openComposer, plan } from '../../testing/composer.ts'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { buildPost } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

it('has a title, content, media and an audience of Free, the plans and pay-per-view [POST-17, POST-18, POST-20]', async () => {
  const dialog = await openComposer()
  for (const label of ['Title', 'Content']) expect(dialog.getByLabelText(label)).toBeVisible()
  expect(dialog.getByLabelText('Title')).not.toBeRequired()
  const files = document.querySelector('input[type=file]')
  expect(files).toHaveAttribute('multiple')
  expect(files).toHaveAttribute('accept', 'image/*,video/*,.heic,.heif')
  expect(await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' })).toBeVisible()
  expect(dialog.getByRole('radio', { name: 'Free' })).toBeChecked()
  expect(dialog.getByRole('radio', { name: 'Pay-per-view' })).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Create Post' })).toBeEnabled()
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled()
})

it('has the plans and the usual price before it opens, so that nothing in it moves [POST-18, POST-19]', async () => {
  signIn({ is_verified: true, is_creator: true })
  const asked: string[] = []
  const active: (string | null)[] = []
  const once = (table: string, rows: object[]) =>
    http.get(`*/rest/v1/${table}`, ({ request }) => {
      asked.push(table)
      if (table === 'subscription_products') active.push(new URL(request.url).searchParams.get('is_active'))
      const single = request.headers.get('accept')?.includes('vnd.pgrst.object')
      return HttpResponse.json(single ? rows[0] : rows)
    })
  network.use(
    answer('rpc/get_feed', [buildPost()]),
    once('subscription_products', [plan]),
    once('monetization_settings', [{ ppv_price_cents: 1250 }]),
  )
  renderRoute('/')
  await waitFor(() => expect(asked.sort()).toEqual(['monetization_settings', 'subscription_products']), {
    timeout: 3_000,
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Create Post' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create Post' }))
  expect(dialog.getByRole('radio', { name: 'Monthly · $9.99 / month' })).toBeVisible()
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  expect(dialog.getByRole('textbox', { name: /^Price/ })).toHaveValue('$12.50')
  expect(asked).toHaveLength(2)
  expect(active).toEqual(['eq.true'])
  expect(dialog.getByRole('radio', { name: 'Free' })).toBeVisible()
})

it('prices a pay-per-view post as the creator usually does, until a price is typed [POST-19, DASH-03]', async () => {
  network.use(answer('monetization_settings', [{ ppv_price_cents: 1250 }]))
  const dialog = await openComposer()
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  const price = await dialog.findByRole('textbox', { name: /^Price/ })
  await waitFor(() => expect(price).toHaveValue('$12.50'))
  await userEvent.clear(price)
  await userEvent.type(price, '9999.99')
  expect(price).toHaveValue('$9,999.99')
  await userEvent.clear(price)
  await userEvent.type(price, '3')
  await userEvent.click(dialog.getByRole('radio', { name: 'Free' }))
  await userEvent.click(dialog.getByRole('radio', { name: 'Pay-per-view' }))
  expect(dialog.getByRole('textbox', { name: /^Price/ })).toHaveValue('$3.00')
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
  expect(inserted).toMatchObject([{ post_type: 'ppv', ppv_price: 1250 }])
})

const tiered = { creator: { tiered_access: true } }
const club = { ...plan, id: 'plan-2', name: 'Print Club', price_cents: 2900 }

it('says that a post opens for the plan and for those above it [LOOP-15]', async () => {
  const dialog = await openComposer([
    { ...plan, ...tiered },
    { ...club, ...tiered },
  ])
  const lower = await dialog.findByRole('radio', { name: 'Monthly and above · $9.99 / month' })
  expect(lower).toHaveAccessibleDescription('Subscribers on this plan or a higher one can see it')
  expect(dialog.getByRole('radio', { name: 'Print Club · $29.00 / month' })).toHaveAccessibleDescription(
    'Only subscribers on this plan can see it',
  )
})

it('says that every plan opens a post where plans do not differ [LOOP-15, D14]', async () => {
  const dialog = await openComposer([plan, club])
  const lower = await dialog.findByRole('radio', { name: 'Monthly · $9.99 / month' })
  expect(lower).toHaveAccessibleDescription('All of your subscribers can see it, whatever their plan')
})

it('publishes with a rule of its own for comments, at once and in one request [TALK-02]', async () => {
  const sent: unknown[] = []
  network.use(
    http.post('*/rest/v1/scheduled_posts', async ({ request }) => {
      sent.push(await request.json())
      return new HttpResponse(null, { status: 201 })
    }),
    answer('posts', []),
  )
  const dialog = await openComposer()
  await userEvent.type(dialog.getByLabelText('Content'), 'Some words')
  const rule = dialog.getByLabelText('Who can comment')
  await waitFor(() => expect(rule).toBeEnabled())
  expect(
    within(rule)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual([
    'Your usual rule',
    'Everyone who can see the post',
    'Followers',
    'Subscribers',
    'Subscribers of Monthly and more expensive plans',
    'Nobody',
  ])
  await userEvent.selectOptions(rule, 'Subscribers of Monthly and more expensive plans')
  await userEvent.click(dialog.getByRole('button', { name: 'Create Post' }))
  await waitFor(() =>
    expect(sent).toEqual([
      expect.objectContaining({ content: 'Some words', commenters: 'plan', commenters_plan_id: plan.id }),
    ]),
  )
  expect(sent[0]).not.toHaveProperty('publish_at')
})
