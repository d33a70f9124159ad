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
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour).toISOString()
}
const slots = [9, 14].map((hour) => ({
  id: `slot-${hour}`,
  offer_id: offer.id,
  starts_at: nextWeek(hour),
  ends_at: nextWeek(hour + 1),
  held_until: '-infinity',
}))

async function openTimes() {
  signIn()
  serveProfile({ is_verified: true })
  network.use(answer('session_offers', [offer]), answer('session_slots', slots), answer('subscriptions', []))
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

it('shows what is left when a time has just been taken [PRIV-03]', async () => {
  const session = await openTimes()
  network.use(
    answer('session_slots', slots.slice(1)),
    http.post('*/functions/v1/create-payment-checkout', () =>
      HttpResponse.json({ error: 'This time has just been taken' }, { status: 409 }),
    ),
  )
  await userEvent.click(await session.findByRole('button', { name: 'Book 9:00 AM for $40.00' }))
  expect(await screen.findByText('This time has just been taken')).toBeVisible()
  await waitFor(() => expect(session.queryByRole('button', { name: /9:00 AM/ })).not.toBeInTheDocument())
  expect(session.getByRole('button', { name: 'Book 2:00 PM for $40.00' })).toBeVisible()
  expect(document.body).not.toHaveFocus()
})
