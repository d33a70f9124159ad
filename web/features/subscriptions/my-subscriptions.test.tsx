import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { describeSubscription } from '../../domain/subscriptions/describe-subscription.ts'
import type { MySubscription } from '../../domain/subscriptions/my-subscriptions.ts'
import { answer, fail, network } from '../../testing/network.ts'
import { listensTo, pushInsert } from '../../testing/realtime.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const build = (over: Partial<MySubscription> = {}): MySubscription => ({
  id: 'e0000000-0000-4000-8000-000000000001',
  status: 'active',
  current_period_end: '2100-03-04T12:00:00Z',
  trial_end: null,
  cancel_at_period_end: false,
  is_gift: false,
  paused_from: null,
  paused_until: null,
  billing_paused_until: null,
  access_until: 'infinity',
  creator: noor,
  price_cents: 999,
  interval_count: 1,
  moves: [],
  plan: { name: 'Monthly', interval: 'month' },
  ...over,
})
beforeEach(() => network.use(http.post('*/functions/v1/list-saved-cards', () => HttpResponse.json({ cards: [] }))))

const now = new Date('2024-05-05T00:00:00Z')

it.each<[string, Partial<MySubscription>, string, string | null]>([
  ['a running one', {}, 'active', 'Renews on Mar 4, 2100'],
  [
    'a trial',
    { status: 'trial', trial_end: '2100-02-01T12:00:00Z', access_until: '2100-02-01T12:00:00Z' },
    'trial',
    'Free until Feb 1, 2100, then it renews',
  ],
  [
    'a canceled one that was paid for',
    { cancel_at_period_end: true, access_until: '2100-03-04T12:00:00Z' },
    'ending',
    'Access until Mar 4, 2100',
  ],
  [
    'a trial that was canceled',
    { status: 'trial', cancel_at_period_end: true, access_until: '2100-03-04T12:00:00Z' },
    'ending',
    'Access until Mar 4, 2100',
  ],
  [
    'one whose charge failed, within the grace period',
    { status: 'past_due', access_until: '2024-05-07T12:00:00Z' },
    'past_due',
    'Access until May 7, 2024',
  ],
  [
    'one whose charge failed, after the grace period',
    { status: 'past_due', access_until: '2024-05-04T12:00:00Z' },
    'past_due',
    'No access since May 4, 2024',
  ],
  [
    'one that is paused, for want of a card after its trial',
    { status: 'paused', access_until: '2024-05-04T12:00:00Z' },
    'paused',
    'No access since May 4, 2024',
  ],
  [
    'a gift, which ends by itself',
    { is_gift: true, cancel_at_period_end: true, access_until: '2100-02-01T12:00:00Z' },
    'gift',
    'Access until Feb 1, 2100',
  ],
  [
    'a gift whose months are over',
    { is_gift: true, cancel_at_period_end: true, status: 'canceled', access_until: '2024-05-04T12:00:00Z' },
    'ended',
    'Ended on May 4, 2024',
  ],
  [
    'one whose bank wants to be asked',
    {
      status: 'past_due',
      access_until: '2024-05-07T12:00:00Z',
      confirmation: { url: 'https://pay.example/in_1', plan_name: null, expires_at: null },
    },
    'confirm',
    'Access until May 7, 2024',
  ],
  ['one that nobody could be charged for', { status: 'unpaid', access_until: '-infinity' }, 'past_due', null],
  [
    'one whose time is over',
    { status: 'canceled', access_until: '2024-05-04T12:00:00Z' },
    'ended',
    'Ended on May 4, 2024',
  ],
  [
    'one that was taken away at once, whose paid time would still run',
    { status: 'canceled', access_until: '-infinity' },
    'ended',
    null,
  ],
  [
    'one whose own pause begins with the next period',
    {
      paused_from: '2024-05-20T12:00:00Z',
      paused_until: '2024-06-20T11:00:00Z',
      billing_paused_until: '2024-06-20T11:00:00Z',
      access_until: '2024-05-20T12:00:00Z',
    },
    'pausing',
    'Access until May 20, 2024, then paused until Jun 20, 2024',
  ],
  [
    'one that is paused by its fan',
    {
      status: 'paused',
      paused_from: '2024-05-01T12:00:00Z',
      paused_until: '2024-06-20T11:00:00Z',
      access_until: '2024-05-01T12:00:00Z',
    },
    'onPause',
    'No access since May 1, 2024. Resumes on Jun 20, 2024',
  ],
  [
    'one whose pause an operator has left without an end',
    {
      status: 'paused',
      paused_from: '2024-05-01T12:00:00Z',
      paused_until: 'infinity',
      access_until: '2024-05-01T12:00:00Z',
    },
    'onPause',
    'No access since May 1, 2024. Paused until you resume',
  ],
  [
    'one whose creator has paused billing',
    { billing_paused_until: '2024-07-01T12:00:00Z' },
    'active',
    "You won't be charged until Jul 1, 2024",
  ],
  ['one that nobody is billed for', { billing_paused_until: 'infinity' }, 'active', "You won't be charged for now"],
])('describes %s [D29, SUB-14, SUB-15, SUB-16, SUB-17, OFFER-09, OFFER-10]', (_what, over, state, date) => {
  expect(describeSubscription(build(over), now)).toEqual({ state, date })
})

it('lists whose, which plan, what it costs and when it renews [D29, SET-06]', async () => {
  signIn()
  network.use(answer('subscriptions', [build(), build({ id: 'e2', plan: null })]))
  renderRoute('/dashboard/subscriptions')
  const [first, second] = await screen.findAllByRole('listitem')
  const row = within(first as HTMLElement)
  expect(row.getByRole('link', { name: 'Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
  expect(row.getByText('Monthly').parentElement).toHaveTextContent('Monthly$9.99 / month')
  expect(row.getByText('Active')).toBeVisible()
  expect(row.getByText('Renews on Mar 4, 2100')).toBeVisible()
  expect(row.getByRole('link', { name: 'See plans by Noor Haddad' })).toHaveAttribute(
    'href',
    '/profile/noor?tab=subscribe',
  )
  expect(second).toHaveTextContent('Discontinued plan')
})

it('leads whose payment failed to where the card is changed, and back to the same place [SUB-16, D29, SET-06]', async () => {
  signIn()
  const asked: unknown[] = []
  network.use(
    answer('subscriptions', [build({ status: 'past_due', access_until: '2100-03-07T12:00:00Z' })]),
    answer('transactions', []),
    answer('user_settings', []),
    http.post('*/functions/v1/create-portal-session', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ error: 'The payment provider does not answer right now.' }, { status: 502 })
    }),
  )
  renderRoute('/settings?tab=subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: 'Change card for your subscription to Noor Haddad' }))
  expect(await screen.findByText('The payment provider does not answer right now.')).toBeVisible()
  expect(asked).toEqual([{ returnPath: '/settings?tab=subscriptions' }])
})

it('leads to the bank that wants to be asked about a renewal, and not to another card [SUB-16, D29]', async () => {
  signIn()
  const row = build({ status: 'past_due', access_until: '2100-03-07T12:00:00Z' })
  const waits = { subscription_id: row.id, product_id: null, plan_name: null, expires_at: null }
  network.use(
    answer('subscriptions', [row]),
    answer('rpc/get_own_confirmations', [{ ...waits, url: 'https://pay.example/in_1' }]),
  )
  renderRoute('/dashboard/subscriptions')
  const link = await screen.findByRole('link', { name: 'Confirm payment for Noor Haddad with your bank' })
  expect(link).toHaveAttribute('href', 'https://pay.example/in_1')
  expect(screen.getByText('Confirm payment', { selector: '.mantine-Badge-label' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /Change card/ })).not.toBeInTheDocument()
})

it('says which switch waits for the bank, and until when [SUB-04, D29]', async () => {
  signIn()
  const waits = { subscription_id: build().id, product_id: 'p2', plan_name: 'Yearly' }
  network.use(
    answer('subscriptions', [build()]),
    answer('rpc/get_own_confirmations', [
      { ...waits, url: 'https://pay.example/in_2', expires_at: '2100-03-04T12:00:00' },
    ]),
  )
  renderRoute('/dashboard/subscriptions')
  expect(await screen.findByText(/confirm the switch to Yearly by March 4, 2100/)).toBeVisible()
  expect(screen.getByText('Active')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Confirm payment/ })).toHaveAttribute('href', 'https://pay.example/in_2')
})

it('does not promise to whom it is closed that it stays open until then [SUB-05, SUB-16]', async () => {
  signIn()
  network.use(answer('subscriptions', [build({ status: 'past_due', access_until: '2024-05-04T12:00:00Z' })]))
  renderRoute('/dashboard/subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this subscription?' })
  expect(dialog).toHaveTextContent("It ends with the current period and won't renew.")
  expect(dialog).not.toHaveTextContent('keep access')
})

it('asks for no checkout that was never paid [D29]', async () => {
  signIn()
  const asked = new Set<string | null>()
  network.use(
    http.get('*/rest/v1/subscriptions', ({ request }) => {
      const { searchParams } = new URL(request.url)
      asked.add(searchParams.get('subscriber_id')).add(searchParams.get('status'))
      return HttpResponse.json([])
    }),
  )
  renderRoute('/dashboard/subscriptions')
  expect(await screen.findByRole('heading', { name: 'No subscriptions yet' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Explore all creators' })).toHaveAttribute('href', '/explore')
  expect([...asked]).toEqual([`eq.${viewerProfile.id}`, 'not.in.(incomplete,incomplete_expired)'])
})

it('follows subscriptions as they happen [D21]', async () => {
  signIn()
  network.use(answer('subscriptions', []))
  renderRoute('/dashboard/subscriptions')
  await screen.findByRole('heading', { name: 'No subscriptions yet' })
  await waitFor(() => expect(listensTo('subscriptions')).toEqual([`subscriber_id=eq.${viewerProfile.id}`]))
  network.use(answer('subscriptions', [build()]))
  pushInsert('subscriptions', { subscriber_id: viewerProfile.id })
  expect(await screen.findByText('Renews on Mar 4, 2100')).toBeVisible()
})

it('recovers when loading fails and the viewer retries', async () => {
  signIn()
  network.use(fail('subscriptions'))
  renderRoute('/dashboard/subscriptions')
  const retry = await screen.findByRole('button', { name: 'Retry' })
  expect(screen.getByText("Couldn't load your subscriptions")).toBeVisible()
  network.use(answer('subscriptions', [build()]))
  await userEvent.click(retry)
  expect(await screen.findByText('Renews on Mar 4, 2100')).toBeVisible()
})

it('sends a visitor to sign in, and back here afterwards [GEN-37, D35]', async () => {
  const { router } = renderRoute('/dashboard/subscriptions')
  await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fdashboard%2Fsubscriptions'))
})

/** One subscription, and a server that changes it, or refuses with a sentence. */
function changes(name: string, row: MySubscription, refusal?: string): unknown[] {
  signIn()
  network.use(answer('subscriptions', [row]))
  const asked: unknown[] = []
  network.use(
    http.post(`*/functions/v1/${name}`, async ({ request }) => {
      asked.push(await request.json())
      if (refusal) return HttpResponse.json({ success: false, error: refusal }, { status: 409 })
      const changed = {
        ...row,
        cancel_at_period_end: name === 'cancel-subscription',
        access_until: row.current_period_end,
      }
      network.use(answer('subscriptions', [changed]))
      return HttpResponse.json({ success: true, subscription: {} })
    }),
  )
  renderRoute('/dashboard/subscriptions')
  return asked
}

it('cancels after asking, says until when it stays open, and offers to resume [SUB-05, D29]', async () => {
  const asked = changes('cancel-subscription', build())
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this subscription?' })
  expect(within(dialog).getByText(/until Mar 4, 2100/)).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }))
  expect(await screen.findByText('Subscription canceled')).toBeVisible()
  expect(await screen.findByText('Access until Mar 4, 2100')).toBeVisible()
  const resume = screen.getByRole('button', { name: 'Resume your subscription to Noor Haddad' })
  await waitFor(() => expect(resume).toHaveFocus())
  expect(asked).toEqual([{ subscriptionId: build().id }])
})

it('keeps the subscription when the viewer thinks better of it, and asks the server nothing [SUB-05]', async () => {
  const asked = changes('cancel-subscription', build())
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this subscription?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep subscription' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(asked).toEqual([])
})

it('resumes what was canceled and still runs, and keeps the focus of the keyboard in the row [SUB-05]', async () => {
  const ended = build({ cancel_at_period_end: true, access_until: '2100-03-04T12:00:00Z' })
  const asked = changes('resume-subscription', ended)
  let answerNow = () => {}
  const answered = new Promise<void>((resolve) => {
    answerNow = resolve
  })
  network.use(
    http.post('*/functions/v1/resume-subscription', async () => {
      await answered // and goes on to the answer above
    }),
  )
  const button = await screen.findByRole('button', { name: 'Resume your subscription to Noor Haddad' })
  await userEvent.click(button)
  await waitFor(() => expect(button).toBeDisabled())
  button.blur() // as browsers do with a button that waits
  answerNow()
  expect(await screen.findByText('Subscription resumed')).toBeVisible()
  await waitFor(() => expect(button).toHaveFocus())
  expect(asked).toEqual([{ subscriptionId: build().id }])
})

it('tells why a cancellation was refused, and leaves everything as it was [SUB-05]', async () => {
  changes('cancel-subscription', build(), 'This subscription has ended')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel subscription' }))
  expect(await screen.findByText('Subscription Error')).toBeVisible()
  expect(screen.getByText('This subscription has ended')).toBeVisible()
  expect(screen.getByText('Renews on Mar 4, 2100')).toBeVisible()
})

it('lists the saved cards, and removes one when that is confirmed [D40]', async () => {
  signIn()
  const visa = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 4, expYear: 2034, isDefault: true }
  let cards = [visa]
  network.use(
    answer('subscriptions', []),
    http.post('*/functions/v1/list-saved-cards', () => HttpResponse.json({ cards })),
    http.post('*/functions/v1/remove-saved-card', async ({ request }) => {
      expect(await request.json()).toEqual({ cardId: 'pm_1' })
      cards = []
      return HttpResponse.json({ success: true })
    }),
  )
  renderRoute('/dashboard/subscriptions')
  expect(await screen.findByText('Expires 04 / 34')).toBeVisible()
  const remove = screen.getByRole('button', { name: 'Remove Visa ending in 4242' })
  await userEvent.click(remove)
  const dialog = await screen.findByRole('dialog', { name: 'Remove Visa ending in 4242?' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(cards).toEqual([visa])
  await userEvent.click(remove)
  await userEvent.click(await screen.findByRole('button', { name: 'Remove card' }))
  expect(await screen.findByText('No saved cards.')).toBeVisible()
})

it('opens the private feed of a creator from the list, while the subscription gives access [RSS-02]', async () => {
  signIn()
  const closed = { ...noor, id: 'c0000000-0000-4000-8000-000000000009', username: 'ida', display_name: 'Ida Wells' }
  network.use(
    answer('subscriptions', [
      build(),
      build({ id: 'ended', status: 'past_due', access_until: '2020-01-01T00:00:00Z', creator: closed }),
    ]),
    answer('transactions', []),
    answer('user_settings', []),
    http.post('*/rest/v1/rpc/get_feed_address', async ({ request }) => {
      expect(await request.json()).toEqual({ creator_profile_id: noor.id })
      return HttpResponse.json({ token: 'secret-token', is_paused: false })
    }),
  )
  renderRoute('/settings?tab=subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: 'Private feed of Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Your private feed of Noor Haddad' }))
  expect(await dialog.findByDisplayValue(/\/feeds\/secret-token\.xml$/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Private feed of Ida Wells' })).not.toBeInTheDocument()
})

it('shows both prices of a subscription that is moved, and leaves with one press [OFFER-08]', async () => {
  signIn()
  const sent: unknown[] = []
  const moved = build({
    price_cents: 2_700,
    interval_count: 3,
    moves: [{ to_cents: 3_000, moves_at: '2099-12-30T12:00:00Z' }],
  })
  network.use(
    answer('subscriptions', [moved]),
    http.post('*/functions/v1/cancel-subscription', async ({ request }) => {
      sent.push(await request.json())
      network.use(
        answer('subscriptions', [{ ...moved, cancel_at_period_end: true, access_until: '2100-03-04T12:00:00Z' }]),
      )
      return HttpResponse.json({ success: true })
    }),
  )
  renderRoute('/dashboard/subscriptions')
  expect(
    await screen.findByText(
      "You pay $27.00 / 3 months now. From your first renewal after Dec 30, 2099, you'll pay $30.00 / 3 months. You can leave before then.",
    ),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^Leave at the old price: / }))
  expect(
    await screen.findByText("You won't be charged the new price. You keep access for the time you paid for."),
  ).toBeVisible()
  expect(sent).toEqual([{ subscriptionId: moved.id }])
  await waitFor(() => expect(screen.queryByText(/From your first renewal/)).not.toBeInTheDocument())
  expect(screen.getByText('Access until Mar 4, 2100')).toBeVisible()
})

it('promises a lower price without anything to decide [OFFER-08]', async () => {
  signIn()
  network.use(answer('subscriptions', [build({ moves: [{ to_cents: 500, moves_at: '2024-03-04T12:00:00Z' }] })]))
  renderRoute('/dashboard/subscriptions')
  expect(
    await screen.findByText("You pay $9.99 / month now. From your next renewal, you'll pay $5.00 / month."),
  ).toBeVisible()
  expect(screen.queryByRole('button', { name: /at the old price/ })).not.toBeInTheDocument()
})

function functionsAnswer(confirm?: { url: string }) {
  const sent: unknown[] = []
  for (const name of ['pause-subscription', 'end-pause', 'cancel-subscription'])
    network.use(
      http.post(`*/functions/v1/${name}`, async ({ request }) => {
        sent.push([name, await request.json()])
        return HttpResponse.json({ success: true, ...(confirm && { confirm }) })
      }),
    )
  return sent
}

it('offers a break to a fan who cancels, where the creator allows it [OFFER-10]', async () => {
  signIn()
  const sent = functionsAnswer()
  network.use(answer('subscriptions', [build()]), answer('pause_settings', [{ fans_may_pause: true }]))
  renderRoute('/dashboard/subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }))
  const offer = within(await dialog.findByRole('region', { name: 'Take a break instead?' }))
  expect(offer.getByText(/You keep access until Mar 4, 2100/)).toBeVisible()
  await userEvent.click(offer.getByRole('radio', { name: '2 months' }))
  await userEvent.click(offer.getByRole('button', { name: 'Pause for 2 months' }))
  expect(await screen.findByText('Your subscription is set to pause on Mar 4, 2100')).toBeVisible()
  expect(sent).toEqual([['pause-subscription', { subscriptionId: build().id, months: 2 }]])
})

it.each<[string, Partial<MySubscription>, boolean]>([
  ["a creator who doesn't allow it", {}, false],
  ['a trial', { status: 'trial', access_until: '2100-02-01T12:00:00Z' }, true],
  ['one that nobody is billed for', { billing_paused_until: '2100-02-01T12:00:00Z' }, true],
])('cancels with one press, without the offer of a break, for %s [OFFER-10]', async (_what, over, may) => {
  signIn()
  const sent = functionsAnswer()
  network.use(answer('subscriptions', [build(over)]), answer('pause_settings', may ? [{ fans_may_pause: true }] : []))
  renderRoute('/dashboard/subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel your subscription to Noor Haddad' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this subscription?' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel subscription' }))
  expect(screen.queryByText('Take a break instead?')).not.toBeInTheDocument()
  await waitFor(() => expect(sent).toEqual([['cancel-subscription', { subscriptionId: build().id }]]))
})

it('takes a pause back before it begins, and asks before it charges for one that has [OFFER-10]', async () => {
  signIn()
  const sent = functionsAnswer()
  const ahead = { paused_from: '2100-03-04T12:00:00Z', paused_until: '2100-04-04T11:00:00Z' }
  const begun = { paused_from: '2024-05-01T12:00:00Z', paused_until: '2100-04-04T11:00:00Z' }
  network.use(
    answer('subscriptions', [
      build({ ...ahead, access_until: ahead.paused_from }),
      build({ ...begun, id: 'e2', status: 'paused', access_until: begun.paused_from }),
    ]),
  )
  renderRoute('/dashboard/subscriptions')
  await userEvent.click(await screen.findByRole('button', { name: "Don't pause your subscription to Noor Haddad" }))
  expect(await screen.findByText("Your subscription won't be paused")).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Resume your subscription to Noor Haddad now' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Resume now?' }))
  expect(sent).toHaveLength(1)
  await userEvent.click(dialog.getByRole('button', { name: 'Pay $9.99 and resume' }))
  expect(await screen.findByText('Your subscription is active again')).toBeVisible()
  expect(sent).toEqual([
    ['end-pause', { subscriptionId: build().id }],
    ['end-pause', { subscriptionId: 'e2' }],
  ])
})
