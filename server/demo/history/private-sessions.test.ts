import { expect, it, onTestFinished } from 'vitest'
import { buildShop } from '../../payments/testing/shop.ts'
import { juno } from '../content/creators/juno.ts'
import { enter } from '../demo-client.ts'
import { seedCreator } from '../seed-creator.ts'
import { bookSessions } from './private-sessions.ts'

it('adds what a stopped start has left of the private sessions', async () => {
  const { gateway, close } = await buildShop()
  onTestFinished(close)
  const { service, query } = gateway
  const admin = await enter(gateway, service, 'robin', 'Robin')
  await query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [admin.userId])
  const creator = await seedCreator({ gateway, service, admin, creator: { ...juno, posts: [], page: undefined } })
  const [first, second] = juno.sessions ?? []
  const { signal } = new AbortController()
  const read = () =>
    query(`select o.title, b.state from public.session_offers o left join public.session_bookings b on b.offer_id = o.id
           order by o.created_at`)

  // Stopped after the first offer.
  await creator.client
    .from('session_offers')
    .insert({
      creator_id: creator.profileId,
      title: first?.title,
      description: first?.description,
      duration_minutes: first?.minutes,
      price_cents: first?.priceCents,
    })
    .throwOnError()
  await bookSessions(gateway, service, [juno], signal)
  const all = [
    { title: first?.title, state: 'accepted' },
    { title: second?.title, state: null },
  ]
  expect(await read()).toEqual(all)

  // Stopped after the payment.
  await query(`update public.session_bookings set state = 'requested', answered_at = null`)
  await bookSessions(gateway, service, [juno], signal)
  expect(await read()).toEqual(all)
})
