import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'
import type { GiftBatch, GivenGift } from './queries.ts'

const plans = [
  { id: 'plan-1', name: 'Monthly', price_cents: 999, interval: 'month' },
  { id: 'plan-2', name: 'Yearly', price_cents: 10_000, interval: 'year' },
].map((plan) => ({
  ...plan,
  description: null,
  trial_days: 0,
  benefits: [],
  is_popular: false,
  terms: [],
  creator: { tiered_access: false },
}))

/** Answers a call with `response`, and keeps what was sent. */
function record(path: string, response: () => Response): unknown[] {
  const sent: unknown[] = []
  network.use(
    http.post(`*/${path}`, async ({ request }) => {
      sent.push(await request.json())
      return response()
    }),
  )
  return sent
}

describe('giving', () => {
  /** After the viewer has signed in, if anyone has. */
  function serve() {
    serveProfile()
    network.use(answer('subscription_products', plans))
  }

  it('prepares the gift and opens the checkout [OFFER-02]', async () => {
    signIn()
    serve()
    const prepared = record('rest/v1/rpc/create_gift', () => HttpResponse.json('g1'))
    const paid = record('functions/v1/create-payment-checkout', () =>
      HttpResponse.json({ error: 'Not now' }, { status: 409 }),
    )
    renderRoute('/profile/noor?tab=subscribe')
    await userEvent.click(await screen.findByRole('button', { name: 'Give as a gift' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Give a gift' }))
    expect(dialog.getByRole('button', { name: 'Continue · $29.97' })).toBeVisible()
    await userEvent.selectOptions(dialog.getByLabelText('Plan'), 'Yearly')
    await userEvent.click(dialog.getByRole('radio', { name: '1 month' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue · $8.33' }))
    expect(await dialog.findByText('Enter a username')).toBeVisible()
    await userEvent.type(dialog.getByLabelText(/^Username/), ' Fay ')
    await userEvent.type(dialog.getByLabelText('Message (optional)'), 'For you')
    await userEvent.click(dialog.getByRole('button', { name: 'Continue · $8.33' }))
    expect(await dialog.findByText('Not now')).toBeVisible()
    expect(prepared).toEqual([{ plan_id: 'plan-2', months: 1, username: 'fay', message: 'For you' }])
    expect(paid).toEqual([{ kind: 'gift', targetId: 'g1', savedCard: 'ask' }])
  })

  it('costs as much as a term of the same length, and says what that saves [OFFER-01, OFFER-02]', async () => {
    signIn()
    serveProfile()
    const terms = [{ months: 3, percent_off: 20, price_cents: 2398 }]
    network.use(answer('subscription_products', [{ ...plans[0], terms }]))
    renderRoute('/profile/noor?tab=subscribe')
    await userEvent.click(await screen.findByRole('button', { name: 'Give as a gift' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Give a gift' }))
    expect(dialog.getByRole('button', { name: 'Continue · $23.98' })).toBeVisible()
    expect(dialog.getByText('You save $5.99.')).toBeVisible()
    await userEvent.click(dialog.getByRole('radio', { name: '6 months' }))
    expect(dialog.getByRole('button', { name: 'Continue · $59.94' })).toBeVisible()
    expect(dialog.queryByText(/^You save/)).not.toBeInTheDocument()
  })

  it('goes to an address on a day, and shows the server’s reason', async () => {
    signIn()
    serve()
    const prepared = record('rest/v1/rpc/create_gift', () =>
      HttpResponse.json(
        { code: 'PT409', message: "You can't give a gift to yourself", details: null, hint: null },
        { status: 409 },
      ),
    )
    renderRoute('/profile/noor?tab=subscribe')
    await userEvent.click(await screen.findByRole('button', { name: 'Give as a gift' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Give a gift' }))
    await userEvent.click(dialog.getByRole('radio', { name: 'An email address' }))
    await userEvent.type(dialog.getByLabelText(/^Email address/), 'not an address')
    await userEvent.type(dialog.getByLabelText(/^Delivery date/), '2020-01-01')
    await userEvent.click(dialog.getByRole('button', { name: /^Continue/ }))
    expect(await dialog.findByText('Choose a day in the next 180 days')).toBeVisible()
    await userEvent.clear(dialog.getByLabelText(/^Email address/))
    await userEvent.type(dialog.getByLabelText(/^Email address/), 'fay@example.org')
    const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    await userEvent.clear(dialog.getByLabelText(/^Delivery date/))
    await userEvent.type(dialog.getByLabelText(/^Delivery date/), day)
    await userEvent.click(dialog.getByRole('button', { name: /^Continue/ }))
    expect(await dialog.findByText("You can't give a gift to yourself")).toBeVisible()
    const at = new Date(`${day}T09:00:00`).toISOString()
    expect(prepared).toEqual([{ plan_id: 'plan-1', months: 3, email: 'fay@example.org', deliver_at: at }])
  })

  it('asks visitors to sign in', async () => {
    serve()
    const { router } = renderRoute('/profile/noor?tab=subscribe')
    await userEvent.click(await screen.findByRole('button', { name: 'Give as a gift' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
  })
})

describe('the gifts that were given', () => {
  const build = (over: Partial<GivenGift> = {}): GivenGift => ({
    id: 'g1',
    plan_name: 'Backstage',
    creator_username: 'noor',
    creator_name: 'Noor Haddad',
    recipient: 'fay',
    recipient_email: null,
    months: 3,
    amount_cents: 2997,
    state: 'open',
    sent_at: '2100-01-02T12:00:00Z',
    sends_at: null,
    expires_at: '2101-01-01T12:00:00Z',
    redeemed_at: null,
    created_at: '2100-01-01T12:00:00Z',
    code: 'abc123',
    ...over,
  })
  beforeEach(() => {
    signIn()
    network.use(http.post('*/functions/v1/list-saved-cards', () => HttpResponse.json({ cards: [] })))
  })

  it('show their state, and are sent again or taken back [OFFER-02]', async () => {
    const user = userEvent.setup() // with a clipboard
    network.use(answer('rpc/get_given_gifts', [build()]))
    const again = record('rest/v1/rpc/send_gift_again', () => new HttpResponse(null, { status: 204 }))
    const back = record('rest/v1/rpc/take_back_gift', () => new HttpResponse(null, { status: 204 }))
    renderRoute('/dashboard/subscriptions')
    const section = within(await screen.findByRole('region', { name: "Gifts you've given" }))
    const row = within(await section.findByRole('listitem'))
    expect(row.getByRole('heading', { name: '3 months of Backstage' })).toBeVisible()
    expect(row.getByText('Not redeemed yet')).toBeVisible()
    expect(row.getByText('To fay')).toBeVisible()
    expect(row.getByText('Delivered on Jan 2, 2100 · Can be redeemed until Jan 1, 2101')).toBeVisible()
    await user.click(row.getByRole('button', { name: 'Copy the link of 3 months of Backstage' }))
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/gift/abc123`)
    await userEvent.click(row.getByRole('button', { name: 'Send 3 months of Backstage again' }))
    expect(await screen.findByText('Your gift is on its way again')).toBeVisible()
    expect(again).toEqual([{ gift_id: 'g1' }])
    await userEvent.click(row.getByRole('button', { name: 'Take back 3 months of Backstage' }))
    network.use(answer('rpc/get_given_gifts', [build({ state: 'taken_back', code: null })]))
    const dialog = within(await screen.findByRole('dialog', { name: 'Take back this gift?' }))
    expect(dialog.getByText('Its link stops working, and you get a refund of $29.97.')).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Take back gift' }))
    expect(await row.findByText('Taken back')).toBeVisible()
    expect(row.queryByRole('button')).not.toBeInTheDocument()
    expect(back).toEqual([{ gift_id: 'g1' }])
  })

  it('say that the payment went through to a giver who returns from the checkout', async () => {
    const asked = record('functions/v1/verify-payment', () =>
      HttpResponse.json({ status: 'paid', kind: 'gift', amountCents: 2997, hasAccess: true, refund: null }),
    )
    network.use(answer('rpc/get_given_gifts', [build()]))
    const { router } = renderRoute('/dashboard/subscriptions?gift=cs_1')
    expect(await screen.findByText('Payment confirmed. Your gift is on its way.')).toBeVisible()
    expect(asked).toEqual([{ sessionId: 'cs_1' }])
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it.each([
    [
      { sent_at: null, sends_at: '2100-02-01T12:00:00Z' },
      'Delivery on Feb 1, 2100 · Can be redeemed until Jan 1, 2101',
    ],
    [{ sent_at: null, sends_at: '2020-02-01T12:00:00Z' }, 'Being delivered · Can be redeemed until Jan 1, 2101'],
    [{ state: 'redeemed', redeemed_at: '2100-03-04T12:00:00Z', code: null }, 'Redeemed on Mar 4, 2100'],
  ])('say when: %j', async (over, words) => {
    network.use(
      answer('rpc/get_given_gifts', [build({ recipient: null, recipient_email: 'fay@example.org', ...over })]),
    )
    renderRoute('/dashboard/subscriptions')
    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByText('To fay@example.org')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Send/ })).not.toBeInTheDocument()
  })

  it('recover when loading fails, and aren’t there without any', async () => {
    network.use(fail('rpc/get_given_gifts'))
    renderRoute('/dashboard/subscriptions')
    const section = within(await screen.findByRole('region', { name: "Gifts you've given" }))
    const retry = await section.findByRole('button', { name: 'Retry' })
    network.use(answer('rpc/get_given_gifts', []))
    await userEvent.click(retry)
    await waitFor(() => expect(screen.queryByRole('region', { name: "Gifts you've given" })).not.toBeInTheDocument())
  })
})

describe('gift codes', () => {
  const batch: GiftBatch = {
    id: 'b1',
    plan_name: 'Backstage',
    months: 3,
    codes: 2,
    redeemed: 1,
    last_day: '2100-03-04',
    created_at: '2100-01-01T12:00:00Z',
  }
  beforeEach(() => {
    signIn({ is_creator: true, is_verified: true })
    network.use(
      http.post('*/functions/v1/list-promotion-codes', () => HttpResponse.json({ promotionCodes: [] })),
      answer('rpc/get_plan_subscribers', []),
      answer('rpc/get_earlier_prices', []),
      answer('subscription_products', [{ ...plans[0], is_active: true }]),
      answer('profiles', [
        {
          ...viewerProfile,
          is_creator: true,
          is_verified: true,
          stripe_account_id: 'acct_1',
          stripe_charges_enabled: true,
          tiered_access: false,
        },
      ]),
    )
  })

  it('are made, and downloaded as CSV [OFFER-03]', async () => {
    const made = record('rest/v1/rpc/create_gift_codes', () => {
      network.use(answer('rpc/get_gift_batches', [{ ...batch }]))
      return HttpResponse.json('b1')
    })
    renderRoute('/subscription-products')
    const form = within(await screen.findByRole('form', { name: 'New gift codes' }))
    await userEvent.clear(form.getByLabelText(/^Number of codes/))
    await userEvent.type(form.getByLabelText(/^Number of codes/), '501')
    await userEvent.click(form.getByRole('button', { name: 'Make codes' }))
    expect(await form.findByText('Enter a number from 1 to 500')).toBeVisible()
    expect(form.getByText('Choose a day from today on')).toBeVisible()
    await userEvent.clear(form.getByLabelText(/^Number of codes/))
    await userEvent.type(form.getByLabelText(/^Number of codes/), '2')
    await userEvent.clear(form.getByLabelText(/^Months/))
    await userEvent.type(form.getByLabelText(/^Months/), '3')
    await userEvent.type(form.getByLabelText(/^Last day/), '2100-03-04')
    await userEvent.click(form.getByRole('button', { name: 'Make codes' }))
    expect(await screen.findByText('2 codes made')).toBeVisible()
    expect(made).toEqual([{ plan_id: 'plan-1', months: 3, codes: 2, last_day: '2100-03-04' }])

    const row = within(
      (await screen.findByRole('heading', { name: '2 × 3 months of Backstage' })).closest('li') as HTMLElement,
    )
    expect(row.getByText('1 of 2 redeemed')).toBeVisible()
    expect(row.getByText('until Mar 4, 2100')).toBeVisible()
    network.use(
      answer('rpc/get_gift_codes', [
        { code: 'aaa', state: 'open', redeemed_at: null },
        { code: 'bbb', state: 'redeemed', redeemed_at: '2100-02-01T12:00:00Z' },
      ]),
    )
    const saved: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      saved.push(blob as Blob)
      return 'blob:codes'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await userEvent.click(row.getByRole('button', { name: 'Download the codes of 2 × 3 months of Backstage as CSV' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    const { origin } = window.location
    expect((await saved[0]?.text())?.replace('\uFEFF', '')).toBe(
      `Code,Link,State,Redeemed\r\naaa,${origin}/gift/aaa,Open,\r\nbbb,${origin}/gift/bbb,Redeemed,2100-02-01\r\n`,
    )
  })

  it('show a failure, and none yet', async () => {
    network.use(fail('rpc/get_gift_batches'))
    renderRoute('/subscription-products')
    const section = within(await screen.findByRole('region', { name: 'Gift codes' }))
    const retry = await section.findByRole('button', { name: 'Retry' })
    network.use(answer('rpc/get_gift_batches', []))
    await userEvent.click(retry)
    expect(await section.findByText('No gift codes yet.')).toBeVisible()
  })
})
