import type { World } from '../world.ts'
import { buildFile } from './people.ts'

/** Data between two users: a block, free and paid messages, private sessions. */
export async function buildContacts(world: World): Promise<void> {
  await world.run('insert into public.blocks (blocker_id, blocked_id) values ({creator}, {blocked})')
  await buildMessages(world)
  await buildSessions(world)
  await world.run('insert into public.post_views (post_id, viewer_id) values ({creator/free}, {stranger})')
}

async function buildMessages(world: World): Promise<void> {
  const messages = [
    { from: 'creator', to: 'subscriber', price: 0, file: 'plain' },
    { from: 'creator', to: 'stranger', price: 500, file: 'locked' },
    { from: 'creator', to: 'buyer', price: 500, file: 'secret' },
    { from: 'rival', to: 'buyer', price: 500 },
    { from: 'bystander', to: 'rival', price: 0, file: 'reported' },
  ]
  for (const name of ['unsent', 'plain', 'locked', 'secret']) await buildFile(world, 'creator', 'messages', name)
  await buildFile(world, 'bystander', 'messages', 'reported')
  await buildFile(world, 'creator', 'verification', 'secret')
  for (const { from, to, price, file } of messages) {
    world.name(
      `message of ${from} to ${to}`,
      await world.run(
        `insert into public.messages (sender_id, recipient_id, content, is_paid, price, media_urls, media_types)
         values ({${from}}, {${to}}, 'SECRET words', ${price > 0}, ${price}, ${file ? `array[{${from}.user} || '/${file}'], array['image']` : `'{}', '{}'`}) returning id`,
      ),
    )
  }
  await world.run(
    `select private.post_message_unlock('pi_message', {buyer}, {creator}, {message of creator to buyer}, 500, 50, 'usd', now())`,
  )
  // The buyer has opened the thread.
  await world.runAs('buyer', 'update public.messages set is_read = true where id = {message of creator to buyer}')
  await world.run(
    `insert into public.message_settings (creator_id, is_away, away_message, shows_reply_time)
     values ({creator}, true, 'Back soon', false), ({recluse}, false, null, true), ({applicant}, true, 'Back soon', false)`,
  )
  await world.run(
    `insert into public.fan_notes (creator_id, fan_id, note) values ({creator}, {subscriber}, 'SECRET note'), ({recluse}, {subscriber}, 'SECRET note')`,
  )
  await world.run(
    `insert into public.profile_layouts (creator_id, accent_color, shows_post_count)
     values ({creator}, '#1f5f99', true), ({recluse}, '#1f5f99', true), ({applicant}, '#1f5f99', true)`,
  )
  await world.run(
    `insert into public.profile_links (creator_id, position, label, url)
     select c, 0, 'Blog', 'https://blog.example/' from unnest(array[{creator}, {recluse}, {applicant}]::uuid[]) c`,
  )
  await world.run(
    `insert into private.reply_times (creator_id, replied_at, seconds) select {recluse}, now(), 60 from generate_series(1, 5)`,
  )
}

async function buildSessions(world: World): Promise<void> {
  for (const [title, creator] of [
    ['talk', 'creator'],
    ['old talk', 'creator'],
    ['past talk', 'creator'],
    ['hidden talk', 'recluse'],
    ['timed talk', 'creator'],
  ]) {
    world.name(
      `offer ${title}`,
      await world.run(
        `insert into public.session_offers (creator_id, title, duration_minutes, price_cents) values ({${creator}}, '${title}', 30, 2000) returning id`,
      ),
    )
    world.name(
      `slot of ${title}`,
      await world.run(
        `insert into public.session_slots (offer_id, starts_at)
         select {offer ${title}}, now() + make_interval(days => 2 + count(*)::int) from public.session_slots returning id`,
      ),
    )
  }
  world.name(
    'booking',
    await world.run(
      `insert into public.session_bookings (slot_id, offer_id, creator_id, fan_id, state, title, price_cents, starts_at, ends_at, transaction_id)
       select s.id, s.offer_id, s.creator_id, {lower}, 'accepted', 'talk', 2000, s.starts_at, s.ends_at,
         (select p.transaction_id from private.post_payment('private_session', 'pi_session', {lower}, {creator}, 2000, 200, 'usd', now()) p)
       from public.session_slots s where s.id = {slot of talk} returning id`,
    ),
  )
  world.name(
    'call',
    await world.run(
      `insert into public.session_bookings (offer_id, creator_id, fan_id, state, title, price_cents, starts_at, ends_at, transaction_id)
       select {offer talk}, {creator}, {buyer}, 'accepted', 'talk', 2000, now() - interval '1 minute', now() + interval '1 day', b.transaction_id
       from public.session_bookings b where b.id = {booking} returning id`,
    ),
  )
  await world.run('update public.session_offers set is_active = false where id = {offer old talk}')
  await world.run('update public.session_slots set from_hours = true where id = {slot of timed talk}')
  for (const name of ['creator', 'recluse', 'applicant']) {
    await world.run(
      `insert into public.session_availability (creator_id, time_zone, weekly, notice_hours)
       values ({${name}}, 'UTC', (select jsonb_agg('[{"start": "00:00", "end": "24:00"}]'::jsonb) from generate_series(1, 7)), 0)`,
    )
    await world.run(`insert into public.session_days (creator_id, day) values ({${name}}, current_date + 30)`)
  }
  await world.run(
    `update public.session_slots set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day' where id = {slot of past talk}`,
  )
}
