import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import { plansQuery } from '../subscriptions/plan-queries.ts'

const product = {
  id: 'product-1',
  name: 'Backstage',
  description: null,
  price_cents: 999,
  interval: 'month',
  trial_days: 0,
  is_active: true,
  benefits: [],
  is_popular: false,
  terms: [],
}
const other = { ...product, id: 'product-2', name: 'Front row', price_cents: 1_999 }

/** An approved creator on the screen of plans, where every change succeeds. */
function openPlans(plans: object[]) {
  signIn({ is_creator: true, is_verified: true })
  const profile = {
    ...viewerProfile,
    is_creator: true,
    is_verified: true,
    stripe_account_id: 'acct_1',
    stripe_charges_enabled: true,
    tiered_access: false,
  }
  const done = () => new HttpResponse(null, { status: 204 })
  network.use(
    answer('profiles', [profile]),
    answer('rpc/get_plan_subscribers', []),
    answer('rpc/get_earlier_prices', []),
    answer('subscription_products', plans as Record<string, unknown>[]),
    http.post('*/functions/v1/list-promotion-codes', () => HttpResponse.json({ promotionCodes: [] })),
    http.post('*/functions/v1/create-subscription-product', () => HttpResponse.json({ success: true })),
    http.post('*/functions/v1/update-subscription-product', () => HttpResponse.json({ success: true })),
    http.patch('*/rest/v1/subscription_products', () => HttpResponse.json({ id: product.id })),
    http.patch('*/rest/v1/profiles', done),
    http.post('*/rest/v1/rpc/arrange_plans', done),
  )
  return renderRoute('/subscription-products')
}
const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

async function create() {
  await userEvent.type(await screen.findByLabelText(/^Name/), 'Backstage')
  await userEvent.type(screen.getByLabelText(/^Price/), '9.99')
  await click('Create plan')
}
async function edit() {
  await click('Edit Backstage')
  await click('Save')
}
async function arrange() {
  await click('Change order')
  await click('Move Front row up')
  await click('Save order')
}

it.each([
  ['creating a plan', create],
  ['deactivating one', () => click('Deactivate Backstage')],
  ['editing one', edit],
  ['another order', arrange],
  [
    'a change of what they include',
    async () => {
      const higher = await screen.findByRole('switch', { name: /^Higher plans unlock more/ })
      await waitFor(() => expect(higher).toBeEnabled())
      await userEvent.click(higher)
    },
  ],
])('reads the plans that fans see again after %s [LOOP-15, POST-18]', async (_what, change) => {
  const { queryClient } = openPlans([product, other])
  const query = plansQuery(viewerProfile.id)
  await queryClient.fetchQuery(query)
  await change()
  await waitFor(() => expect(queryClient.getQueryState(query.queryKey)?.isInvalidated).toBe(true))
})

it('offers a new plan in the composer at once, although it was open before [POST-18, PROD-11]', async () => {
  openPlans([])
  await click('Create')
  const composer = () => screen.findByRole('dialog', { name: 'Create Post' })
  expect(await within(await composer()).findByText(/^Create a plan to publish for subscribers\./)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  network.use(answer('subscription_products', [{ ...product, creator: { tiered_access: false } }]))
  await create()
  expect(await screen.findByRole('heading', { name: 'Your plans' })).toBeVisible()
  await click('Create')
  expect(await within(await composer()).findByRole('radio', { name: /Backstage/ })).toBeVisible()
})
