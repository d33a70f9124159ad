import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn } from '../../testing/sign-in.ts'

const fresh = { benefits: [] as string[], terms: [] as object[], is_popular: false, creator: { tiered_access: false } }
const plans = [
  {
    id: 'plan-1',
    name: 'Monthly',
    description: 'Everything.',
    price_cents: 999,
    interval: 'month',
    trial_days: 0,
    ...fresh,
  },
  { id: 'plan-2', name: 'Yearly', description: null, price_cents: 9900, interval: 'year', trial_days: 7, ...fresh },
]

it('shows the plans with price, interval and description, and subscribes [PROF-14, PROF-15, PROF-16, SUB-01]', async () => {
  signIn()
  serveProfile()
  const asked: unknown[] = []
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', []),
    http.post('*/functions/v1/create-subscription-checkout', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ error: 'Not now' }, { status: 409 })
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  const monthly = (await screen.findByRole('heading', { name: 'Monthly' })).closest('article') as HTMLElement
  expect(monthly).toHaveTextContent('$9.99 / month')
  expect(monthly).toHaveTextContent('Everything.')
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Posts', 'Media', 'Subscribe', 'About'])
  const yearly = screen.getByRole('heading', { name: 'Yearly' }).closest('article') as HTMLElement
  expect(yearly).toHaveTextContent('$99.00 / year')
  expect(yearly).toHaveTextContent('7 days free')
  const button = within(yearly).getByRole('button', { name: 'Subscribe Now: Yearly' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  expect(await screen.findByText('Not now')).toBeVisible()
  expect(asked).toEqual([{ productId: 'plan-2' }])
})

it.each([
  ['no plan', [], ['Subscribe Now', 'Subscribe Now']],
  [
    'the first plan',
    [{ id: 'subscription-1', tier_id: 'plan-1', interval_count: 1, price_cents: 999 }],
    ['Current Plan', 'Switch Plan'],
  ],
])('labels the buttons of the plans for a viewer with %s [PROF-16]', async (_has, subscriptions, names) => {
  signIn()
  serveProfile()
  network.use(answer('subscription_products', plans), answer('subscriptions', subscriptions))
  renderRoute('/profile/noor?tab=subscribe')
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('button', { name: /^(Subscribe Now|Switch Plan|Current Plan)/ })
        .map((one) => one.textContent),
    ).toEqual(names),
  )
})

it('marks the plan that the viewer has, and sells no second one beside it [PROF-16]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', [{ id: 'subscription-1', tier_id: 'plan-1', interval_count: 1, price_cents: 999 }]),
  )
  renderRoute('/profile/noor?tab=subscribe')
  expect(await screen.findByRole('button', { name: 'Current Plan' })).toBeDisabled()
  expect(screen.queryByRole('button', { name: /Subscribe Now/ })).not.toBeInTheDocument()
})

it('switches to another plan after asking, and says what it costs [PROF-16, SUB-04]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', [{ id: 'sub-1', tier_id: 'plan-1', interval_count: 1, price_cents: 999 }]),
  )
  const asked: unknown[] = []
  network.use(
    http.post('*/functions/v1/switch-subscription', async ({ request }) => {
      asked.push(await request.json())
      network.use(answer('subscriptions', [{ id: 'sub-1', tier_id: 'plan-2', interval_count: 1, price_cents: 9900 }]))
      return HttpResponse.json({ success: true, subscription: {} })
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  await userEvent.click(await screen.findByRole('button', { name: 'Switch Plan: Yearly' }))
  const dialog = await screen.findByRole('dialog', { name: 'Switch to Yearly?' })
  expect(within(dialog).getByText(/\$99\.00 \/ year/)).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Switch Plan' }))
  expect(await screen.findByText("You're now on Yearly")).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Switch Plan: Monthly' })).toBeVisible()
  expect(asked).toEqual([{ subscriptionId: 'sub-1', productId: 'plan-2' }])
})

it('leads to the bank that wants to be asked about a switch, and says that nothing is switched yet [SUB-04]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', [{ id: 'sub-1', tier_id: 'plan-1', interval_count: 1, price_cents: 999 }]),
    http.post('*/functions/v1/switch-subscription', () =>
      HttpResponse.json({
        success: true,
        subscription: {},
        confirm: { url: 'https://pay.example/in_1', expiresAt: '2100-03-04T12:00:00' },
      }),
    ),
  )
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  renderRoute('/profile/noor?tab=subscribe')
  await userEvent.click(await screen.findByRole('button', { name: 'Switch Plan: Yearly' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Switch Plan' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm with your bank' })
  expect(dialog).toHaveTextContent("Once you do, you'll switch to Yearly.")
  expect(screen.queryByText("You're now on Yearly")).not.toBeInTheDocument()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Go to your bank' }))
  expect(open).toHaveBeenCalledWith('https://pay.example/in_1', '_blank', 'noopener')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

it('says that there are no plans, and offers a retry when they cannot be read', async () => {
  serveProfile()
  network.use(fail('subscription_products'))
  renderRoute('/profile/noor?tab=subscribe')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(answer('subscription_products', []))
  await userEvent.click(retry)
  expect(await screen.findByRole('heading', { name: 'No plans yet' })).toBeVisible()
})

it('offers a retry when it cannot be read what the viewer has, instead of plans that nobody can buy [PROF-16]', async () => {
  signIn()
  serveProfile()
  network.use(answer('subscription_products', plans), fail('subscriptions'))
  renderRoute('/profile/noor?tab=subscribe')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  network.use(answer('subscriptions', []))
  await userEvent.click(retry)
  expect(await screen.findByRole('button', { name: 'Subscribe Now: Monthly' })).toBeEnabled()
})

it('shows what a plan costs with the code that is typed, and of a plan that it is not for nothing', async () => {
  signIn()
  serveProfile()
  const [first, ...others] = plans
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', []),
    http.post('*/functions/v1/check-promotion-code', async ({ request }) => {
      const { productId, code } = (await request.json()) as { productId: string; code: string }
      if (productId !== first?.id || code !== 'SUMMER') {
        const refusal = { success: false, error: 'This code is not known', code: 'promotion_not_found' }
        return HttpResponse.json(refusal, { status: 404 })
      }
      return HttpResponse.json({ discountedCents: 499, duration: 'repeating', durationMonths: 3 })
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  await userEvent.click(await screen.findByRole('button', { name: 'I have a promotion code' }))
  await userEvent.type(screen.getByLabelText('Promotion code'), 'summer')
  expect(await screen.findByText('With your code: $4.99 for 3 months')).toBeVisible()
  expect(others.length).toBeGreaterThan(0)
  expect(screen.getAllByText(/^With your code/)).toHaveLength(1)
})

it('says at the field why a promotion code does not do, and leaves the plan for sale [SUB-02]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', []),
    ...['check-promotion-code', 'create-subscription-checkout'].map((name) =>
      http.post(`*/functions/v1/${name}`, () =>
        HttpResponse.json(
          { success: false, error: 'This code has expired', code: 'promotion_expired' },
          { status: 409 },
        ),
      ),
    ),
  )
  renderRoute('/profile/noor?tab=subscribe&code=SUMMER')
  const field = await screen.findByLabelText('Promotion code')
  expect(field).toHaveValue('SUMMER')
  const button = screen.getByRole('button', { name: 'Subscribe Now: Monthly' })
  await waitFor(() => expect(button).toBeEnabled())
  await userEvent.click(button)
  await waitFor(() => expect(field).toHaveAccessibleDescription('This code has expired'))
  expect(field).toHaveFocus()
  expect(field).toBeInvalid()
  expect(screen.queryByText('Subscription Error')).not.toBeInTheDocument()
  expect(button).toBeEnabled()
})

it('shows the benefits, the mark, and what a higher plan includes, in the order of the creator [LOOP-15]', async () => {
  serveProfile()
  const asked: (string | null)[] = []
  const rows = [
    { ...plans[1], benefits: ['A print a year', 'Early access'], is_popular: true, creator: { tiered_access: true } },
    { ...plans[0], creator: { tiered_access: true } },
  ]
  // A year for $60 is less a month than $9.99.
  rows.push({
    ...plans[1],
    id: 'plan-3',
    name: 'Supporter',
    price_cents: 6000,
    ...fresh,
    creator: { tiered_access: true },
  })
  network.use(
    http.get('*/rest/v1/subscription_products', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('order'))
      return HttpResponse.json(rows)
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  const yearly = within((await screen.findByRole('heading', { name: 'Yearly' })).closest('article') as HTMLElement)
  expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    'Yearly',
    'Monthly',
    'Supporter',
  ])
  expect(yearly.getByText('Most popular')).toBeVisible()
  expect(screen.getAllByText('Most popular')).toHaveLength(1)
  const benefits = (name: string) =>
    within(within(screen.getByRole('heading', { name }).closest('article') as HTMLElement).getByRole('list'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  // $99 a year is $8.25 a month: more than $60 a year, less than $9.99 a month.
  expect(benefits('Yearly')).toEqual(['Everything in Supporter', 'A print a year', 'Early access'])
  expect(benefits('Monthly')).toEqual(['Everything in Yearly'])
  expect(asked[0]).toBe('position.asc,price_cents.asc')
})

it('marks nothing on the only plan, and promises no other where plans do not include each other [LOOP-15]', async () => {
  serveProfile()
  network.use(answer('subscription_products', [{ ...plans[0], is_popular: true }]))
  renderRoute('/profile/noor?tab=subscribe')
  await screen.findByRole('heading', { name: 'Monthly' })
  expect(screen.queryByText('Most popular')).not.toBeInTheDocument()
  expect(screen.queryByText(/^Everything in/)).not.toBeInTheDocument()
})

const sold = {
  ...plans[0],
  price_cents: 1_000,
  terms: [
    { months: 3, percent_off: 10, price_cents: 2_700 },
    { months: 12, percent_off: 0, price_cents: 12_000 },
  ],
}

it('shows each term by its price per month with the savings, and subscribes for the chosen one [OFFER-01]', async () => {
  signIn()
  serveProfile()
  const asked: unknown[] = []
  network.use(
    answer('subscription_products', [sold, ...plans.slice(1)]),
    answer('subscriptions', []),
    http.post('*/functions/v1/create-subscription-checkout', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ error: 'Not now' }, { status: 409 })
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  const card = within((await screen.findByRole('heading', { name: 'Monthly' })).closest('article') as HTMLElement)
  const choice = within(card.getByRole('radiogroup', { name: 'How often you pay' }))
  expect(choice.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    '1 month$10.00 a month',
    '3 months$9.00 a monthSave 10%',
    '12 months$10.00 a month',
  ])
  expect(choice.getByRole('radio', { name: /^1 month/ })).toBeChecked()
  await waitFor(() => expect(card.getByRole('button', { name: 'Subscribe Now: Monthly' })).toBeEnabled())
  await userEvent.click(choice.getByRole('radio', { name: /^3 months/ }))
  expect(card.getByText('$27.00 every 3 months')).toBeVisible()
  await userEvent.click(card.getByRole('button', { name: 'Subscribe Now: Monthly' }))
  await waitFor(() => expect(asked).toEqual([{ productId: 'plan-1', intervalCount: 3 }]))
  // A plan without terms leaves nothing to choose.
  const yearly = screen.getByRole('heading', { name: 'Yearly' }).closest('article') as HTMLElement
  expect(within(yearly).queryByRole('radiogroup')).not.toBeInTheDocument()
})

it("marks the viewer's term, and switches to another after asking [OFFER-01]", async () => {
  signIn()
  serveProfile()
  const asked: unknown[] = []
  const own = (interval_count: number) =>
    answer('subscriptions', [{ id: 'sub-1', tier_id: 'plan-1', interval_count, price_cents: 2_700 }])
  network.use(
    answer('subscription_products', [sold]),
    own(3),
    http.post('*/functions/v1/switch-subscription', async ({ request }) => {
      asked.push(await request.json())
      network.use(own(12))
      return HttpResponse.json({ success: true, subscription: {} })
    }),
  )
  renderRoute('/profile/noor?tab=subscribe')
  expect(await screen.findByRole('button', { name: 'Current Plan' })).toBeDisabled()
  expect(screen.getByRole('radio', { name: /^3 months/ })).toBeChecked()
  await userEvent.click(screen.getByRole('radio', { name: /^12 months/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Switch Plan: Monthly' }))
  const dialog = await screen.findByRole('dialog', { name: 'Pay for Monthly every 12 months?' })
  expect(within(dialog).getByText(/\$120\.00 every 12 months/)).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Switch Plan' }))
  expect(await screen.findByText('You now pay for Monthly every 12 months')).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Current Plan' })).toBeDisabled()
  expect(asked).toEqual([{ subscriptionId: 'sub-1', productId: 'plan-1', intervalCount: 12 }])
})

it('keeps the term that a visitor chose while they sign up [OFFER-01]', async () => {
  serveProfile()
  network.use(answer('subscription_products', [sold]))
  renderRoute('/profile/noor?tab=subscribe&term=12')
  expect(await screen.findByRole('radio', { name: /^12 months/ })).toBeChecked()
  expect(screen.getByText('$120.00 every 12 months')).toBeVisible()
})

const offer = {
  plan_id: 'plan-1',
  interval_count: 1,
  percent_off: 40,
  periods: 2,
  price_cents: 999,
  offer_cents: 599,
  ends_at: '2100-03-04T12:00:00',
  places_left: 7,
}
const card = async (name: string) => (await screen.findByRole('heading', { name })).closest('article') as HTMLElement

it('shows an offer with the full price struck through, for how long, and its end, instead of the trial [OFFER-04]', async () => {
  serveProfile()
  network.use(
    answer('subscription_products', [
      { ...plans[0], trial_days: 7, terms: [{ months: 3, percent_off: 10, price_cents: 2697 }] },
      plans[1] ?? {},
    ]),
    answer('rpc/get_offers', [
      offer,
      { ...offer, interval_count: 3, price_cents: 2697, offer_cents: 1618 },
      {
        ...offer,
        plan_id: 'plan-2',
        periods: 1,
        price_cents: 9900,
        offer_cents: 5940,
        ends_at: null,
        places_left: 1200,
      },
    ]),
  )
  renderRoute('/profile/noor?tab=subscribe')
  const monthly = await card('Monthly')
  expect(monthly).toHaveTextContent('Full price: $9.99 Price now: $5.99 / month')
  expect(monthly.querySelector('s')).toHaveTextContent('$9.99')
  expect(monthly).toHaveTextContent('40% off for your first 2 months, then $9.99 / month')
  expect(monthly).toHaveTextContent('Offer ends Mar 4, 2100 · 7 left')
  expect(monthly).not.toHaveTextContent('free')
  await userEvent.click(within(monthly).getByRole('radio', { name: /^3 months/ }))
  expect(monthly).toHaveTextContent('Full price: $8.99 Price now: $5.39 / month')
  expect(monthly).toHaveTextContent('$16.18 every 3 months')
  expect(monthly).toHaveTextContent('40% off for your first 6 months, then $26.97 / 3 months')
  const yearly = await card('Yearly')
  expect(yearly).toHaveTextContent('40% off for your first year, then $99.00 / year')
  expect(yearly).toHaveTextContent('1,200 left')
})

it('shows no offer beside the trial of a link, to a subscriber, or with a better code [OFFER-04, LINK-03]', async () => {
  network.use(
    answer('rpc/get_offers', [offer]),
    answer('rpc/get_trial_offers', [{ plan_id: 'plan-1', trial_days: 14, trial_until: '2100-01-01' }]),
  )
  signIn()
  serveProfile()
  network.use(answer('subscription_products', plans), answer('subscriptions', []))
  renderRoute('/profile/noor?tab=subscribe')
  await waitFor(async () => expect(await card('Monthly')).toHaveTextContent('14 days free'))
  expect(await card('Monthly')).not.toHaveTextContent('40% off')
})

it('shows the price with a code that is better than the offer [OFFER-04]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('rpc/get_offers', [offer]),
    answer('subscription_products', plans),
    answer('subscriptions', []),
    http.post('*/functions/v1/check-promotion-code', () =>
      HttpResponse.json({ discountedCents: 499, duration: 'forever', durationMonths: null }),
    ),
  )
  renderRoute('/profile/noor?tab=subscribe')
  expect(await card('Monthly')).toHaveTextContent('40% off')
  await userEvent.click(screen.getByRole('button', { name: 'I have a promotion code' }))
  await userEvent.type(screen.getByLabelText('Promotion code'), 'BETTER')
  await waitFor(async () => expect(await card('Monthly')).toHaveTextContent('With your code: $4.99'))
  expect(await card('Monthly')).not.toHaveTextContent('40% off')
})

it('sells no plan while billing is paused, and says until when [OFFER-09]', async () => {
  signIn()
  serveProfile()
  network.use(
    answer('subscription_products', plans),
    answer('subscriptions', []),
    answer('billing_pauses', [{ months: 1, resumes_at: '2100-03-04T12:00:00Z' }]),
  )
  renderRoute('/profile/noor?tab=subscribe')
  expect(await screen.findByText(/Nobody is charged until Mar 4, 2100/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Subscribe Now: Yearly' })).toBeDisabled()
})
