import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { answer, fail, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { signIn, viewerProfile } from '../../testing/sign-in.ts'

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const me = viewerProfile.id
const fay = { ...noor, id: 'f0000000-0000-4000-8000-000000000001', username: 'fay', display_name: 'Fay Fan' }

const booking = (over: Record<string, unknown> = {}) => ({
  id: 'b0000000-0000-4000-8000-000000000001',
  title: 'Portfolio review',
  state: 'accepted',
  price_cents: 4_000,
  starts_at: inHours(48),
  ends_at: inHours(49),
  hold_expires_at: null,
  refund_status: 'none',
  reason: null,
  creator_id: noor.id,
  fan_id: me,
  creator: noor,
  fan: { ...viewerProfile },
  ...over,
})

/** Open bookings and past ones are separate requests. */
const bookings = (open: unknown[], past: unknown[] = []) =>
  http.get('*/rest/v1/session_bookings', ({ request }) =>
    HttpResponse.json(new URL(request.url).searchParams.get('state')?.includes('requested') ? open : past),
  )

describe('bookings', () => {
  it('are the calendar of a fan, with what the fan can do [PRIV-01, PRIV-04, PRIV-05]', async () => {
    signIn()
    network.use(
      bookings(
        [
          booking(),
          booking({ id: 'b2', title: 'A talk', state: 'accepted', starts_at: inHours(3), ends_at: inHours(4) }),
        ],
        [booking({ id: 'b3', title: 'Old', state: 'canceled', refund_status: 'refunded', reason: 'I am ill' })],
      ),
    )
    renderRoute('/private-sessions')
    const first = within(await screen.findByRole('article', { name: 'Portfolio review' }))
    expect(first.getByText('Confirmed')).toBeVisible()
    expect(first.getByRole('link', { name: 'with Noor Haddad' })).toHaveAttribute('href', '/profile/noor')
    // The day stands in the sentence: a call opens on it, and not at it.
    expect(first.getByText(/^The call opens on .*[AP]M\. You can cancel until .* for a full refund\.$/)).toBeVisible()
    expect(first.getByRole('button', { name: 'Cancel session: Portfolio review' })).toBeVisible()
    expect(first.getByRole('button', { name: 'Add to calendar: Portfolio review' })).toBeVisible()
    expect(first.queryByRole('link', { name: 'Join call' })).not.toBeInTheDocument()
    const soon = within(screen.getByRole('article', { name: 'A talk' }))
    expect(soon.getByText(/only the creator can cancel/)).toBeVisible()
    expect(soon.queryByRole('button', { name: /^Cancel session/ })).not.toBeInTheDocument()
    const old = within(screen.getByRole('article', { name: 'Old' }))
    expect(old.getByText('Refunded')).toBeVisible()
    expect(old.getByText('“I am ill”')).toBeVisible()
    expect(screen.queryByRole('tab')).not.toBeInTheDocument()
  })

  it('lead into the call around their time, and can be completed afterwards [PRIV-05]', async () => {
    signIn()
    network.use(
      bookings([
        booking({ id: 'now', title: 'Now', starts_at: inHours(0.2), ends_at: inHours(1.2) }),
        booking({ id: 'over', title: 'Over', starts_at: inHours(-3), ends_at: inHours(-2) }),
      ]),
    )
    renderRoute('/private-sessions')
    const now = within(await screen.findByRole('article', { name: 'Now' }))
    expect(now.getByRole('link', { name: 'Join call' })).toHaveAttribute('href', '/private-sessions/now')
    const over = within(screen.getByRole('article', { name: 'Over' }))
    expect(over.getByRole('button', { name: 'Mark as completed: Over' })).toBeVisible()
    expect(over.queryByRole('link', { name: 'Join call' })).not.toBeInTheDocument()
  })

  it('promise no money once the server has refused to call one off [PRIV-06]', async () => {
    signIn()
    network.use(
      bookings([booking({ id: 'late', title: 'Late' })]),
      fail('rpc/cancel_booking', 409, 'It is too late to cancel this session'),
    )
    renderRoute('/private-sessions')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel session: Late' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this session?' }))
    expect(dialog.getByText(/full refund/)).toBeVisible()
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel session' }))
    expect(await dialog.findByText('It is too late to cancel this session')).toBeVisible()
    expect(dialog.queryByText(/full refund/)).not.toBeInTheDocument()
  })

  it('are answered by the creator; declining asks first, and says why [PRIV-05, PRIV-06]', async () => {
    signIn({ is_creator: true, is_verified: true })
    const request = booking({ state: 'requested', creator_id: me, fan_id: fay.id, creator: viewerProfile, fan: fay })
    let sent: unknown
    network.use(
      bookings([request]),
      http.post('*/rest/v1/rpc/decline_booking', async ({ request: call }) => {
        sent = await call.json()
        network.use(bookings([], [{ ...request, state: 'declined', refund_status: 'requested' }]))
        return HttpResponse.json(null)
      }),
    )
    renderRoute('/private-sessions')
    expect(await screen.findByText('Waiting for your response')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Accept: Portfolio review' })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Decline: Portfolio review' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Decline this session?' }))
    await userEvent.type(dialog.getByLabelText('Message to the other person'), ' I am away ')
    await userEvent.click(dialog.getByRole('button', { name: 'Decline' }))
    expect(await screen.findByText('Refund in progress')).toBeVisible()
    expect(sent).toEqual({ booking_id: request.id, reason: 'I am away' })
    // Its card is in another place now: who goes by keyboard is still at the sessions, and not at the top of the page.
    expect(document.activeElement).toContainElement(screen.getByText('Refund in progress'))
    expect(document.body).not.toHaveFocus()
  })

  it('tell who pays and who waits until when an unpaid time is held [PRIV-04]', async () => {
    const unpaid = { state: 'pending_payment', hold_expires_at: inHours(0.3) }
    signIn({ is_creator: true, is_verified: true })
    network.use(
      bookings([
        booking({ ...unpaid, id: 'mine', title: 'Mine' }),
        booking({
          ...unpaid,
          id: 'sold',
          title: 'Sold',
          creator_id: me,
          fan_id: fay.id,
          creator: viewerProfile,
          fan: fay,
        }),
      ]),
    )
    renderRoute('/private-sessions')
    const mine = within(await screen.findByRole('article', { name: 'Mine' }))
    expect(mine.getByText(/^Held for you until .*[AP]M\.$/)).toBeVisible()
    const sold = within(screen.getByRole('article', { name: 'Sold' }))
    expect(sold.getByText(/^Held until .* while the fan pays\.$/)).toBeVisible()
    expect(sold.queryByRole('button', { name: /^Pay now/ })).not.toBeInTheDocument()
  })

  it('tell a refusal in the server’s words', async () => {
    signIn()
    network.use(
      bookings([booking()]),
      fail('rpc/cancel_booking', 409, 'A session can be canceled until 24 hours before its start'),
    )
    renderRoute('/private-sessions')
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel session: Portfolio review' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel session' }))
    expect(await screen.findByText('A session can be canceled until 24 hours before its start')).toBeVisible()
  })

  it('say when there are none, and offer a retry', async () => {
    signIn()
    network.use(fail('session_bookings'))
    renderRoute('/private-sessions')
    expect(await screen.findByText("Couldn't load your sessions")).toBeVisible()
    network.use(bookings([]))
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No sessions booked')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Find creators' })).toHaveAttribute('href', '/explore')
  })

  it('are for signed-in people [D35]', async () => {
    const { router } = renderRoute('/private-sessions')
    await waitFor(() => expect(router.state.location.search).toBe('?next=%2Fprivate-sessions'))
  })
})

describe('what a creator offers', () => {
  const offer = {
    id: 'o0000000-0000-4000-8000-000000000001',
    creator_id: me,
    title: 'Portfolio review',
    description: null,
    duration_minutes: 45,
    price_cents: 4_000,
    is_active: true,
  }
  const seller = () => {
    signIn({ is_creator: true, is_verified: true })
    network.use(
      bookings([]),
      answer('session_offers', [offer]),
      answer('profiles', [
        {
          ...viewerProfile,
          is_creator: true,
          is_verified: true,
          stripe_charges_enabled: true,
          stripe_account_id: 'acct_1',
        },
      ]),
    )
  }

  it('has a title, a length and a price; the first wrong one gets the focus, and nothing typed is lost [PRIV-02, PRIV-08]', async () => {
    seller()
    renderRoute('/private-sessions?tab=offers')
    const form = within(await screen.findByRole('region', { name: 'New session type' }))
    await userEvent.type(form.getByLabelText(/Price in USD/), '0.5')
    await userEvent.click(form.getByRole('button', { name: 'Create session type' }))
    expect(form.getByText('Enter a title')).toBeVisible()
    expect(form.getByText('Enter a price of at least $1.00')).toBeVisible()
    expect(form.getByLabelText(/Title/)).toHaveFocus()
    await userEvent.type(form.getByLabelText(/Title/), 'An hour of help')
    await userEvent.clear(form.getByLabelText(/Price in USD/))
    await userEvent.type(form.getByLabelText(/Price in USD/), '40')
    network.use(fail('session_offers', 409, 'Please complete Stripe onboarding before offering sessions'))
    await userEvent.click(form.getByRole('button', { name: 'Create session type' }))
    expect(await form.findByText('Please complete Stripe onboarding before offering sessions')).toBeVisible()
    expect(form.getByLabelText(/Title/)).toHaveValue('An hour of help')
    let sent: unknown
    network.use(
      http.post('*/rest/v1/session_offers', async ({ request }) => {
        sent = await request.json()
        return new HttpResponse(null, { status: 201 })
      }),
    )
    await userEvent.click(form.getByRole('button', { name: 'Create session type' }))
    await waitFor(() => expect(form.getByLabelText(/Title/)).toHaveValue(''))
    expect(sent).toEqual({
      creator_id: me,
      title: 'An hour of help',
      description: null,
      duration_minutes: 30,
      price_cents: 4_000,
    })
  })

  it('is changed in a dialog; what was typed goes with Cancel, and not with a reload [PRIV-02]', async () => {
    seller()
    const open = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Edit session type: Portfolio review' }))
      return within(await screen.findByRole('dialog', { name: 'Edit session type' }))
    }
    renderRoute('/private-sessions?tab=offers')
    await userEvent.type((await open()).getByLabelText(/Title/), ', long')
    cleanup()
    renderRoute('/private-sessions?tab=offers')
    const dialog = await open()
    expect(dialog.getByLabelText(/Title/)).toHaveValue('Portfolio review, long')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect((await open()).getByLabelText(/Title/)).toHaveValue('Portfolio review')
  })

  it('waits for payments to be set up, and leads there [PRIV-08]', async () => {
    seller()
    network.use(
      answer('profiles', [{ ...viewerProfile, is_creator: true, is_verified: true, stripe_charges_enabled: false }]),
    )
    renderRoute('/private-sessions?tab=offers')
    expect(await screen.findByText('Please complete Stripe onboarding before offering sessions')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Set up payouts' })).toHaveAttribute('href', '/creator-onboarding')
    expect(screen.queryByRole('button', { name: 'Create session type' })).not.toBeInTheDocument()
  })

  it('gets times, many at once, of which none is kept when one overlaps [PRIV-02]', async () => {
    seller()
    network.use(answer('session_slots', []))
    renderRoute('/private-sessions?tab=times')
    const form = within(await screen.findByRole('region', { name: 'Add times' }))
    await userEvent.click(form.getByRole('button', { name: 'Add times' }))
    expect(form.getByText('Choose a day from today to a year from now')).toBeVisible()
    const date = inHours(72).slice(0, 10)
    await userEvent.type(form.getByLabelText(/Date/), date)
    await userEvent.type(form.getByLabelText(/Starts at/), '09:00')
    await userEvent.clear(form.getByLabelText(/How many/))
    await userEvent.type(form.getByLabelText(/How many/), '2')
    expect(form.getByText('Adds 2 times')).toBeVisible()
    network.use(
      http.post('*/rest/v1/session_slots', () =>
        HttpResponse.json({ code: '23P01', message: 'overlaps', details: null, hint: null }, { status: 400 }),
      ),
    )
    await userEvent.click(form.getByRole('button', { name: 'Add times' }))
    expect(await form.findByText('These times overlap with ones you already have, so none were added.')).toBeVisible()
    let sent: { starts_at: string }[] = []
    network.use(
      http.post('*/rest/v1/session_slots', async ({ request }) => {
        sent = (await request.json()) as typeof sent
        return new HttpResponse(null, { status: 201 })
      }),
    )
    await userEvent.click(form.getByRole('button', { name: 'Add times' }))
    expect(await screen.findByText('2 times added')).toBeVisible()
    expect(sent.map(({ starts_at }) => starts_at)).toEqual([
      new Date(`${date}T09:00`).toISOString(),
      new Date(`${date}T09:45`).toISOString(),
    ])
  })

  it('has the keyboard stay at the times when one is removed [PRIV-02]', async () => {
    seller()
    const slot = { offer_id: offer.id, creator_id: me, held_until: '-infinity' }
    const rows = [72, 96].map((hours, at) => ({
      ...slot,
      id: `slot-${at}`,
      starts_at: inHours(hours),
      ends_at: inHours(hours + 1),
    }))
    network.use(answer('session_slots', rows))
    network.use(
      http.delete('*/rest/v1/session_slots', () => {
        network.use(answer('session_slots', rows.slice(1)))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderRoute('/private-sessions?tab=times')
    const [first] = await screen.findAllByRole('button', { name: /^Remove / })
    await userEvent.click(first as HTMLElement)
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Remove / })).toHaveLength(1))
    expect(document.activeElement).toContainElement(screen.getByRole('button', { name: /^Remove / }))
    expect(document.body).not.toHaveFocus()
  })
})
