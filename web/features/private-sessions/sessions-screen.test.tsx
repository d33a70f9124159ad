import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { addDays, dateIn, longDay, monthOf, monthTitle } from '../../lib/format/calendar-days.ts'
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

  it('come with the confirmed ones first, then requests, then unpaid ones [LOOP-25]', async () => {
    signIn()
    network.use(
      bookings(
        [
          booking({ id: 'b1', title: 'Unpaid', state: 'pending_payment', hold_expires_at: inHours(0.3) }),
          booking({ id: 'b2', title: 'Asked', state: 'requested', starts_at: inHours(50) }),
          booking({ id: 'b3', title: 'Confirmed later', starts_at: inHours(96), ends_at: inHours(97) }),
        ],
        [booking({ id: 'b4', title: 'Over', state: 'completed' })],
      ),
    )
    renderRoute('/private-sessions')
    await screen.findByRole('article', { name: 'Unpaid' })
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Upcoming',
      'Waiting for confirmation',
      'Waiting for payment',
      'Past and canceled',
    ])
    expect(screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))).toEqual([
      'Confirmed later',
      'Asked',
      'Unpaid',
      'Over',
    ])
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

  it('say when there are none, and offer a retry [PRIV-08]', async () => {
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
})

describe('when a creator is available', () => {
  const offer = { id: 'o1', creator_id: me, title: 'Portfolio review', duration_minutes: 45, price_cents: 4_000 }
  const hours = {
    time_zone: 'Pacific/Honolulu',
    weekly: [[{ start: '09:00', end: '17:00' }], [], [], [], [], [], [{ start: '20:00', end: '24:00' }]],
    buffer_minutes: 15,
    notice_hours: 24,
    horizon_days: 60,
  }
  const days = (rows: unknown[]) => http.get('*/rest/v1/session_days', () => HttpResponse.json(rows))
  const open = async (saved: typeof hours | null = hours, slots: Record<string, unknown>[] = []) => {
    signIn({ is_creator: true, is_verified: true })
    network.use(
      bookings([]),
      answer('session_offers', [offer]),
      answer('session_slots', slots),
      days([]),
      http.get('*/rest/v1/session_availability', () => HttpResponse.json(saved ? [saved] : [])),
    )
    renderRoute('/private-sessions?tab=availability')
    return within(await screen.findByRole('form', { name: 'Weekly hours' }))
  }
  const sentTo = (method: 'post' | 'delete', table: string) => {
    const sent: { body: unknown; search: string }[] = []
    network.use(
      http[method](`*/rest/v1/${table}`, async ({ request }) => {
        sent.push({ body: method === 'post' ? await request.json() : null, search: new URL(request.url).search })
        return new HttpResponse(null, { status: 201 })
      }),
    )
    return sent
  }
  /** The second Monday from today on in the creator's time zone, so that it is never today. */
  const monday = () => {
    const today = dateIn(hours.time_zone)
    return addDays(today, 14 - ((new Date(today).getUTCDay() + 6) % 7))
  }
  const showMonth = async (day: string) => {
    await screen.findByRole('grid')
    for (let n = 0; n < 2 && !screen.queryByText(monthTitle(monthOf(day))); n += 1)
      await userEvent.click(screen.getByRole('button', { name: 'Next month' }))
  }

  it('is set by weekday, and copied to the other weekdays [LOOP-25]', async () => {
    const form = await open(null)
    expect(form.getAllByText('Not available')).toHaveLength(7)
    const sent = sentTo('post', 'session_availability')
    await userEvent.click(form.getByRole('button', { name: 'Add hours on Tuesday' }))
    await userEvent.click(form.getByRole('button', { name: 'Add hours on Tuesday' }))
    fireEvent.change(form.getByLabelText('Tuesday to'), { target: { value: '12:00' } })
    fireEvent.change(form.getByLabelText('Tuesday from (2)'), { target: { value: '22:00' } })
    fireEvent.change(form.getByLabelText('Tuesday to (2)'), { target: { value: '00:00' } })
    await userEvent.click(form.getByRole('button', { name: 'Copy to weekdays: Tuesday' }))
    expect(form.getByLabelText('Friday to')).toHaveValue('12:00')
    await userEvent.click(form.getByRole('button', { name: 'Remove hours 1 on Friday' }))
    expect(form.getByLabelText('Friday from')).toHaveValue('22:00')
    await userEvent.selectOptions(form.getByLabelText('Time zone'), 'Asia/Tokyo')
    await userEvent.click(form.getByRole('button', { name: 'Save hours' }))
    expect(await screen.findByText('Hours saved')).toBeVisible()
    const day = [
      { start: '09:00', end: '12:00' },
      { start: '22:00', end: '24:00' },
    ]
    expect(sent[0]?.body).toEqual({
      creator_id: me,
      time_zone: 'Asia/Tokyo',
      weekly: [day, day, day, day, day.slice(1), [], []],
      buffer_minutes: 0,
      notice_hours: 24,
      horizon_days: 60,
    })
  })

  it('is shown as saved, in the creator’s time zone [LOOP-25]', async () => {
    const form = await open()
    expect(form.getByLabelText('Time zone')).toHaveValue('Pacific/Honolulu')
    expect(form.getByLabelText('Monday from')).toHaveValue('09:00')
    expect(form.getByLabelText('Sunday to')).toHaveValue('00:00') // midnight
    expect(form.getByLabelText('Buffer in minutes')).toHaveValue('15')
  })

  it('is not saved with hours that overlap, which get the focus [LOOP-25]', async () => {
    const form = await open()
    await userEvent.click(form.getByRole('button', { name: 'Add hours on Monday' }))
    fireEvent.change(form.getByLabelText('Monday from (2)'), { target: { value: '16:00' } })
    const sent = sentTo('post', 'session_availability')
    await userEvent.click(form.getByRole('button', { name: 'Save hours' }))
    expect(form.getByText('These hours overlap')).toBeVisible()
    expect(form.getByLabelText('Monday from')).toHaveFocus()
    expect(sent).toEqual([])
  })

  it('has exceptions: a day off, special hours, and back to the weekly hours [LOOP-25]', async () => {
    await open()
    const day = monday()
    await showMonth(day)
    await userEvent.click(await screen.findByRole('button', { name: longDay(day) }))
    const sent = sentTo('post', 'session_days')
    network.use(days([{ day, hours: [] }]))
    await userEvent.click(screen.getByRole('radio', { name: 'Day off' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save day' }))
    expect(await screen.findByText('Day saved')).toBeVisible()
    const off = await screen.findByRole('button', { name: `${longDay(day)}, Day off` })
    expect(off).toHaveAttribute('aria-pressed', 'true')

    await userEvent.click(screen.getByRole('radio', { name: 'Special' }))
    fireEvent.change(screen.getByLabelText(`${longDay(day)} to`), { target: { value: '08:00' } })
    await userEvent.click(screen.getByRole('button', { name: 'Save day' }))
    expect(await screen.findByText('The end must be after the start')).toBeVisible()
    fireEvent.change(screen.getByLabelText(`${longDay(day)} to`), { target: { value: '10:00' } })
    network.use(days([{ day, hours: [{ start: '09:00', end: '10:00' }] }]))
    await userEvent.click(screen.getByRole('button', { name: 'Save day' }))
    expect(await screen.findByRole('button', { name: `${longDay(day)}, special hours` })).toBeVisible()
    expect(sent.map(({ body }) => body)).toEqual([
      { creator_id: me, day, hours: [] },
      { creator_id: me, day, hours: [{ start: '09:00', end: '10:00' }] },
    ])

    const deleted = sentTo('delete', 'session_days')
    network.use(days([]))
    await userEvent.click(screen.getByRole('radio', { name: 'Usual' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save day' }))
    expect(await screen.findByRole('button', { name: longDay(day) })).toBeVisible()
    expect(deleted[0]?.search).toContain(`day=eq.${day}`)
  })

  it('lists the exceptions to come [LOOP-25]', async () => {
    await open()
    cleanup()
    const day = monday()
    network.use(days([{ day, hours: [{ start: '18:00', end: '20:00' }] }]))
    renderRoute('/private-sessions?tab=availability')
    expect(await screen.findByText(/^6:00\sPM\s– 8:00\sPM$/)).toBeVisible()
    const change = screen.getByRole('button', { name: `Change ${longDay(day)}` })
    await userEvent.click(change)
    expect(await screen.findByRole('radio', { name: 'Special' })).toBeChecked()
    // The form is above the list: it takes the focus, also if it was open.
    expect(screen.getByRole('heading', { name: longDay(day) })).toHaveFocus()
    await userEvent.click(change)
    expect(screen.getByRole('heading', { name: longDay(day) })).toHaveFocus()
  })

  it('asks for weekly hours before exceptions [LOOP-25]', async () => {
    await open(null)
    expect(screen.getByText('Save your weekly hours first.')).toBeVisible()
    expect(screen.queryByRole('grid')).not.toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: 'One-time slots' })).not.toBeInTheDocument()
  })

  it('keeps the times that were opened one by one, which can be removed [LOOP-25, PRIV-02]', async () => {
    const rows = [72, 96].map((hours, at) => ({
      offer_id: offer.id,
      creator_id: me,
      held_until: '-infinity',
      id: `slot-${at}`,
      starts_at: inHours(hours),
      ends_at: inHours(hours + 1),
    }))
    await open(hours, rows)
    network.use(
      http.delete('*/rest/v1/session_slots', () => {
        network.use(answer('session_slots', rows.slice(1)))
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const list = within(screen.getByRole('region', { name: 'One-time slots' }))
    const [first] = await list.findAllByRole('button', { name: /^Remove / })
    await userEvent.click(first as HTMLElement)
    await waitFor(() => expect(list.getAllByRole('button', { name: /^Remove / })).toHaveLength(1))
    // The keyboard stays at the times.
    expect(document.activeElement).toContainElement(list.getByRole('button', { name: /^Remove / }))
    expect(document.body).not.toHaveFocus()
  })
})
