import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { answer, network } from '../../testing/network.ts'
import { renderRoute } from '../../testing/render-route.tsx'
import { noor } from '../../testing/rows.ts'
import { serveProfile } from '../../testing/serve-profile.ts'
import { signIn } from '../../testing/sign-in.ts'

const offer = {
  id: 'o0000000-0000-4000-8000-000000000001',
  creator_id: noor.id,
  title: 'Portfolio review',
  description: null,
  duration_minutes: 45,
  price_cents: 4_000,
  is_active: true,
}
const nextWeek = (hour: number) => {
  const day = new Date(Date.now() + 7 * 86_400_000)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + (hour >= 24 ? 1 : 0), hour % 24).toISOString()
}
const times = (hours: number[], time_zone: string | null = null) =>
  http.all('*/rest/v1/rpc/get_session_times', () => HttpResponse.json({ time_zone, starts_at: hours.map(nextWeek) }))
const nameOf = (iso: string) =>
  new Date(iso).toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' })

async function openTimes(served = times([9, 14, 33])) {
  signIn()
  serveProfile({ is_verified: true })
  network.use(answer('session_offers', [offer]), served, answer('subscriptions', []))
  renderRoute('/profile/noor?tab=subscribe')
  await userEvent.click(await screen.findByRole('button', { name: 'Choose a time: Portfolio review' }))
  return within(await screen.findByRole('article', { name: 'Portfolio review' }))
}

it('has the keyboard stay at the session whose times are shown [PRIV-03]', async () => {
  const session = await openTimes()
  const nine = await session.findByRole('button', { name: 'Book 9:00 AM for $40.00' })
  expect(document.activeElement).toContainElement(nine)
  expect(document.body).not.toHaveFocus()
})

it('lets a fan choose a day in a calendar, then a time [PRIV-03, LOOP-25]', async () => {
  const session = await openTimes()
  const first = await session.findByRole('button', { name: `${nameOf(nextWeek(9))}, 2 times` })
  expect(first).toHaveAttribute('aria-pressed', 'true')
  // Days without times can't be chosen.
  const today = session.queryByRole('button', { name: nameOf(new Date().toISOString()) })
  if (today) {
    expect(today).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(today)
    expect(first).toHaveAttribute('aria-pressed', 'true')
  }
  first.focus()
  await userEvent.keyboard('{ArrowRight}{Enter}')
  const second = await session.findByRole('button', { name: `${nameOf(nextWeek(33))}, 1 time` })
  expect(second).toHaveFocus()
  expect(second).toHaveAttribute('aria-pressed', 'true')
  let sent: unknown
  network.use(
    http.post('*/functions/v1/create-payment-checkout', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json({ error: 'Out of order' }, { status: 409 })
    }),
  )
  await userEvent.click(session.getByRole('button', { name: 'Book 9:00 AM for $40.00' }))
  await waitFor(() =>
    expect(sent).toMatchObject({ kind: 'session', targetId: offer.id, startsAt: nextWeek(33), savedCard: 'ask' }),
  )
})

it('names the time zone of the fan, and that of the creator when it differs [LOOP-25]', async () => {
  const session = await openTimes(times([9], 'Pacific/Honolulu'))
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')
  expect(await session.findByText(/^Times are in your time zone, /)).toHaveTextContent(own)
  expect(session.getByText(/The creator is in Pacific\/Honolulu \((GMT-10|HST)\)\.$/)).toBeVisible()
})

it.each([
  ['winter', 0, 'EST'],
  ['summer', 6, 'EDT'],
])("gives the creator's time zone as of the chosen day in %s [LOOP-25]", async (_season, month, name) => {
  const now = new Date()
  const year = now.getUTCFullYear() + (now.getUTCMonth() < month ? 0 : 1)
  const starts_at = [new Date(Date.UTC(year, month, 15, 15)).toISOString()]
  const session = await openTimes(
    http.all('*/rest/v1/rpc/get_session_times', () => HttpResponse.json({ time_zone: 'America/New_York', starts_at })),
  )
  expect(await session.findByText(new RegExp(`The creator is in America/New York \\(${name}\\)\\.$`))).toBeVisible()
})

it('says nothing of a time zone that is the same [LOOP-25]', async () => {
  const session = await openTimes(times([9], Intl.DateTimeFormat().resolvedOptions().timeZone))
  expect(await session.findByText(/^Times are in your time zone, /)).not.toHaveTextContent('The creator')
})

it('says when there are no times, and offers a retry [LOOP-25]', async () => {
  const session = await openTimes(
    http.all('*/rest/v1/rpc/get_session_times', () => HttpResponse.json({}, { status: 500 })),
  )
  expect(await session.findByText("Couldn't load times")).toBeVisible()
  network.use(times([]))
  await userEvent.click(session.getByRole('button', { name: 'Retry' }))
  expect(await session.findByText('No available times right now.')).toBeVisible()
})

it('shows what is left when a time has just been taken [PRIV-03]', async () => {
  const session = await openTimes()
  network.use(
    times([14]),
    http.post('*/functions/v1/create-payment-checkout', () =>
      HttpResponse.json({ error: 'This time is no longer available' }, { status: 409 }),
    ),
  )
  await userEvent.click(await session.findByRole('button', { name: 'Book 9:00 AM for $40.00' }))
  expect(await screen.findByText('This time is no longer available')).toBeVisible()
  await waitFor(() => expect(session.queryByRole('button', { name: /9:00 AM/ })).not.toBeInTheDocument())
  expect(session.getByRole('button', { name: 'Book 2:00 PM for $40.00' })).toBeVisible()
  expect(document.body).not.toHaveFocus()
})
