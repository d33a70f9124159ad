import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it } from 'vitest'
import { setConfig } from '../../../lib/api/config.ts'
import { testConfig } from '../../../testing/config.ts'
import { answer, network } from '../../../testing/network.ts'
import { renderRoute } from '../../../testing/render-route.tsx'
import { signIn } from '../../../testing/sign-in.ts'

afterEach(() => setConfig(testConfig))

/** Answers a server function, and keeps what it was called with. */
function respond(name: string, body: Record<string, unknown>, status = 200) {
  const calls: unknown[] = []
  network.use(
    http.post(`*/functions/v1/${name}`, async ({ request }) => {
      const text = await request.text()
      calls.push(text === '' ? undefined : JSON.parse(text))
      return HttpResponse.json(body, { status })
    }),
  )
  return calls
}

const connected = {
  success: true,
  message: 'Connected to the payment sandbox',
  status: {
    environment: { STRIPE_SECRET_KEY: false, STRIPE_CLIENT_ID: true },
    mode: 'sandbox',
    key_prefix: null,
    timestamp: '2026-01-02T10:00:00Z',
  },
}

it('guides through five steps to a connected provider, with the redirect URL of this site [TEST-01, TEST-02]', async () => {
  signIn()
  renderRoute('/stripe-test')
  expect(await screen.findByRole('heading', { level: 1, name: 'Integration testing' })).toBeVisible()
  const guide = within(screen.getByRole('region', { name: 'Connection setup guide' }))
  expect(guide.getAllByRole('listitem').map((step) => within(step).getByRole('heading').textContent)).toEqual([
    'Enable connected accounts',
    'Get the client ID',
    'Add the redirect URL',
    'Configure the client ID',
    'Test',
  ])
  expect(guide.getByText(`${window.location.origin}/creator-onboarding`)).toBeVisible()
})

it('tests the connection, shows settings but never a key, and reports a failure [TEST-04]', async () => {
  signIn()
  respond('stripe-test-connection', { success: false, error: 'Stripe does not answer' }, 502)
  renderRoute('/stripe-test')
  const section = within(await screen.findByRole('region', { name: 'Connection test' }))
  await userEvent.click(section.getByRole('button', { name: 'Test connection' }))
  expect(await section.findByText('Stripe does not answer')).toBeVisible()
  respond('stripe-test-connection', connected)
  await userEvent.click(section.getByRole('button', { name: 'Test connection' }))
  expect(await section.findByText('Connected to the payment sandbox')).toBeVisible()
  expect(section.getByText('STRIPE_CLIENT_ID').nextSibling).toHaveTextContent('set')
  expect(section.getByText('STRIPE_SECRET_KEY').nextSibling).toHaveTextContent('not set')
})

it('runs the status tests one after the other, from pending to completed or error [TEST-03, TEST-06]', async () => {
  signIn()
  respond('stripe-test-connection', connected)
  respond('check-stripe-status', { success: false, error: 'The provider is away' }, 502)
  respond('test-platform-fees', { success: true, samples: [{ grossCents: 999, feeCents: 100, netCents: 900 }] })
  respond('refresh-subscription-status', { success: true, subscriptions: [] })
  renderRoute('/stripe-test')
  const section = within(await screen.findByRole('region', { name: 'Status tests' }))
  const states = () => section.getAllByRole('listitem').map((item) => item.textContent)
  expect(states()).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/Pending$/)))
  await userEvent.click(section.getByRole('button', { name: 'Run all tests' }))
  await waitFor(() =>
    expect(states()).toEqual([
      expect.stringMatching(/Completed$/),
      expect.stringMatching(/The provider is away.*Error$/),
      // 100 and 900 are not 999.
      expect.stringMatching(/A share and its fee don't add up to the payment.*Error$/),
      expect.stringMatching(/Completed$/),
    ]),
  )
})

it('calls each function with the defaults of 999 cents a month and 1000 cents, and shows its answer [TEST-05, TEST-07, TEST-08]', async () => {
  signIn()
  const products = respond('create-subscription-product', { success: true, product: { id: 'product-1' } })
  const payments = respond('create-marketplace-payment', { success: false, error: 'No such account' }, 404)
  renderRoute('/stripe-test')
  await userEvent.click(await screen.findByRole('button', { name: 'Run create-subscription-product' }))
  expect(await screen.findByText(/"product-1"/)).toBeVisible()
  expect(products).toEqual([
    {
      name: 'Test plan',
      description: 'Created on the integration testing page',
      price_cents: 999,
      interval: 'month',
    },
  ])
  const payment = within(screen.getByRole('form', { name: 'create-marketplace-payment' }))
  await userEvent.type(payment.getByLabelText('Seller account'), 'acct_1')
  await userEvent.click(payment.getByRole('button', { name: 'Run create-marketplace-payment' }))
  expect(await payment.findByText(/No such account/)).toBeVisible()
  expect(payments).toMatchObject([{ amountInCents: 1000, sellerAccountId: 'acct_1', paymentMethodId: 'pm_card_visa' }])
})

it('is for admins alone in production [TEST-01, D42]', async () => {
  setConfig({ ...testConfig, environment: 'production' })
  signIn()
  network.use(answer('rpc/get_feed', []), answer('rpc/discover_creators', []))
  const { router } = renderRoute('/stripe-test')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

it('is there for an admin in production [TEST-01, D42]', async () => {
  setConfig({ ...testConfig, environment: 'production' })
  signIn({ role: 'admin' })
  renderRoute('/stripe-test')
  expect(await screen.findByRole('heading', { level: 1, name: 'Integration testing' })).toBeVisible()
})

it('sends a visitor to sign in [TEST-01, D42]', async () => {
  const { router } = renderRoute('/stripe-test')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})
