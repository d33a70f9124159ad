import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPaidPost } from '../payments/testing/paid-post.ts'
import { buildShop, call, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'
import { onePixel } from '../testing/one-pixel.ts'
import { buildAdmin } from '../testing/people.ts'

let shop: Shop
let admin: Person
let creator: Person
let fan: Person
let payment: string
beforeAll(async () => {
  shop = await buildShop()
  admin = await buildAdmin(shop.gateway)
  ;[creator, fan] = [await shop.buildCreator(), await shop.gateway.signUp()]
  await subscribe(fan, await shop.buildPlan(creator))
  await shop.settled()
  payment = await idOf('select id from public.transactions where from_user_id = $1', [fan.profileId])
})
afterAll(() => shop?.close())

async function idOf(text: string, values: readonly unknown[] = []): Promise<string> {
  const [row] = await shop.gateway.query<{ id: string }>(text, [...values])
  return String(row?.id)
}

/** Functions that check whether an admin is calling, directly or through a helper. */
const asksForAdmin = `
  with recursive asking (oid, name) as (
    select p.oid, p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'private' and p.proname in ('is_admin', 'is_privileged', 'require_admin', 'acts_as_admin')
    union
    select p.oid, p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    join asking a on p.prosrc ~ ('\\mprivate\\.' || a.name || '\\(') where n.nspname = 'private' and p.prorettype <> 'trigger'::regtype
  )`

/** Everything that admins can change: procedures, tables, and functions of the server, as found in the database and the source files. */
async function powersOfAdmins(): Promise<string[]> {
  const procedures = await shop.gateway.query<{ name: string }>(`${asksForAdmin}
    select distinct p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    join asking a on p.prosrc ~ ('\\mprivate\\.' || a.name || '\\(')
    where n.nspname = 'public' and p.provolatile = 'v' and has_function_privilege('authenticated', p.oid, 'execute')`)
  const policies = await shop.gateway.query<{ name: string }>(`
    select distinct lower(cmd) || ' ' || tablename as name from pg_policies
    where schemaname = 'public' and cmd <> 'SELECT' and concat(qual, with_check) ~ 'is_admin|is_privileged'`)
  const views = await shop.gateway.query<{ name: string }>(`${asksForAdmin}
    select distinct lower(m.event_manipulation) || ' ' || m.event_object_table as name
    from information_schema.triggers m join pg_proc p on m.action_statement ~ ('\\.' || p.proname || '\\(')
    join asking a on p.prosrc ~ ('\\mprivate\\.' || a.name || '\\(')
    where m.event_object_schema = 'public' and m.action_timing = 'INSTEAD OF'`)
  const folder = new URL('.', import.meta.url)
  const functions = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split('defineFunction(')
        .slice(1)
        .filter((text) => /requires: 'admin'|mayRefund/.test(text))
        .map((text) => String(/name: '([a-z-]+)'/.exec(text)?.[1])),
    )
  return [...procedures, ...policies, ...views].map(({ name }) => name).concat(functions)
}

/** The action, and its line in the audit log. */
type Act = readonly [action: string, run: () => PromiseLike<unknown>]
const rpc = (name: string, body: Record<string, unknown>) => admin.client.rpc(name, body).throwOnError()
const change = (table: string, id: unknown, columns: Record<string, unknown>) =>
  admin.client.from(table).update(columns).eq('id', id).select('id').single().throwOnError()

/** The action for each power, or the reason why there is nothing to log. */
const acts: Readonly<Record<string, Act | string>> = {
  accept_booking: 'only the creator accepts',
  decline_booking: 'only the creator declines',
  cancel_booking: [
    'close_booking',
    async () => rpc('cancel_booking', { booking_id: await booking('pending_payment') }),
  ],
  complete_booking: ['close_booking', async () => rpc('complete_booking', { booking_id: await booking('accepted') })],
  broadcast_notification_to_all_users: [
    'broadcast',
    () =>
      rpc('broadcast_notification_to_all_users', {
        notification_type: 'announcement',
        notification_title: 'Maintenance',
        notification_message: 'Tonight',
      }),
  ],
  suspend_user: ['suspend_user', () => rpc('suspend_user', { profile_id: fan.profileId, reason: 'Spam' })],
  reinstate_user: ['reinstate_user', () => rpc('reinstate_user', { profile_id: fan.profileId })],
  reveal_ssn: ['reveal_ssn', async () => rpc('reveal_ssn', { application_id: await application() })],
  settle_payment_difference: [
    'settle_difference',
    async () => {
      await shop.gateway.query(`select private.note_difference('pi_lost', 'missing', 0, 999)`)
      const difference_id = await idOf(`select id from private.payment_differences where cause = 'pi_lost'`)
      return rpc('settle_payment_difference', { difference_id, note: 'Booked by hand' })
    },
  ],
  take_down: [
    'delete_message',
    async () => {
      const { data } = await creator.client
        .from('messages')
        .insert({ sender_id: creator.profileId, recipient_id: fan.profileId, content: 'Rude' })
        .select('id')
        .single()
        .throwOnError()
      const about = { reporter_id: fan.profileId, target_type: 'message', target_id: data.id, reason: 'spam' }
      await fan.client.auth.signInWithPassword(fan) // the suspension above ended the session
      await fan.client.from('reports').insert(about).throwOnError()
      return rpc('take_down', { target_type: 'message', target_id: data.id, reason: 'Threats' })
    },
  ],
  take_down_goal: [
    'take_down_goal',
    async () => {
      const ends_at = new Date(Date.now() + 86_400_000).toISOString()
      const goal = { title: 'A camera', kind: 'money', target: 5_000, ends_at }
      const { data } = await creator.client.rpc('create_goal', goal).throwOnError()
      return rpc('take_down_goal', { goal_id: data, reason: 'Fraud' })
    },
  ],
  'insert messages': 'a reply to a story, which admins see, is a message like any other',
  'delete comments': [
    'delete_comment',
    async () => {
      const post_id = await buildPaidPost(creator, { post_type: 'free', ppv_price: null })
      const { data } = await creator.client
        .from('comments')
        .insert({ post_id, user_id: creator.profileId, content: 'Rude' })
        .select('id')
        .single()
        .throwOnError()
      return admin.client.from('comments').delete().eq('id', data.id).select('id').single().throwOnError()
    },
  ],
  'delete posts': [
    'delete_post',
    async () =>
      admin.client
        .from('posts')
        .delete()
        .eq('id', await buildPaidPost(creator))
        .select('id')
        .single()
        .throwOnError(),
  ],
  'update posts': ['change_note', async () => change('posts', await buildPaidPost(creator), { admin_note: 'Checked' })],
  'update profiles': ['change_creator_flag', () => change('profiles', fan.profileId, { is_creator: true })],
  'update creator_applications': [
    'review_application',
    async () => change('creator_applications', await application(), { status: 'approved' }),
  ],
  set_vault_quota: ['set_vault_quota', () => rpc('set_vault_quota', { profile_id: creator.profileId, quota_gb: 50 })],
  set_front_page: ['change_front_page', () => rpc('set_front_page', { headline: 'Ours' })],
  'insert polls': ['create_poll', () => poll()],
  'update polls': ['change_poll', async () => change('polls', (await poll()).data.id, { is_active: false })],
  'update reports': [
    'settle_report',
    async () => {
      const about = { reporter_id: fan.profileId, target_type: 'profile', target_id: creator.profileId, reason: 'spam' }
      const { data } = await fan.client.from('reports').insert(about).select('id').single().throwOnError()
      return change('reports', data.id, { status: 'dismissed' })
    },
  ],
  'update support_requests': [
    'change_support_status',
    async () => {
      await shop.gateway.anon
        .from('support_requests')
        .insert({ name: 'V', email: 'v@example.com', subject: 'Help', message: 'Please' })
        .throwOnError()
      return change('support_requests', await idOf('select id from public.support_requests'), { status: 'resolved' })
    },
  ],
  'get-system-health': 'it only reads',
  'retry-job': [
    'retry_job',
    async () => {
      const jobId = await idOf(
        `insert into pgboss.job (name, state, output, completed_on, data) values ('payment-emails', 'failed', '{}', now(), '{}') returning id`,
      )
      return call(admin, 'retry-job', { jobId })
    },
  ],
  'reconcile-payments': ['reconcile_payments', () => call(admin, 'reconcile-payments')],
  'refund-payment': [
    'refund_payment',
    () => call(admin, 'refund-payment', { transactionId: payment, reason: 'Asked' }),
  ],
  'update-user-email': [
    'change_email',
    () => call(admin, 'update-user-email', { userId: fan.userId, newEmail: 'fan.new@example.com' }),
  ],
  'delete-user-account': ['delete_account', () => call(admin, 'delete-user-account', { userId: fan.userId })],
}

const poll = () =>
  admin.client.from('polls').insert({ title: 'Which?', options: '["A", "B"]' }).select('id').single().throwOnError()

async function application(): Promise<string> {
  const person = await shop.gateway.signUp()
  const paths = ['front', 'back'].map((side) => `${person.userId}/id_${side}_1.png`)
  for (const path of paths) {
    const { error } = await person.client.storage
      .from('verification')
      .upload(path, onePixel, { contentType: 'image/png' })
    if (error) throw error
  }
  const { data } = await person.client
    .from('creator_applications')
    .insert({
      user_id: person.userId,
      full_name: 'Ada',
      address: '1 Street',
      full_ssn: '900-11-2222',
      id_front_url: paths[0],
      id_back_url: paths[1],
    })
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

/** A booking of the fan's; an accepted one has taken place. */
async function booking(state: string): Promise<string> {
  const { data: offer } = await creator.client
    .from('session_offers')
    .insert({ creator_id: creator.profileId, title: 'A talk', duration_minutes: 30, price_cents: 2000 })
    .select('id')
    .single()
    .throwOnError()
  return idOf(
    `insert into public.session_bookings (offer_id, creator_id, fan_id, state, title, price_cents, starts_at, ends_at, hold_expires_at, transaction_id)
     values ($1, $2, $3, $4, 'A talk', 2000, now() - interval '2 hours', now() - interval '1 hour', now() + interval '1 hour',
       case $4 when 'accepted' then $5::uuid end) returning id`,
    [offer.id, creator.profileId, fan.profileId, state, payment],
  )
}

it('writes everything that an admin can change to the audit log, with before and after [DATA-25, GEN-44, ADM-14]', async () => {
  expect([...new Set(await powersOfAdmins())].toSorted()).toEqual(Object.keys(acts).toSorted())
  for (const [power, act] of Object.entries(acts)) {
    if (typeof act === 'string') continue
    const [action, run] = act
    const lines = () =>
      shop.gateway.query<{ id: string; before: unknown; after: unknown }>(
        'select id, before, after from public.audit_log where action = $1 and actor_id = $2',
        [action, admin.userId],
      )
    const known = new Set((await lines()).map(({ id }) => id))
    await run()
    const written = (await lines()).filter(({ id }) => !known.has(id))
    // Long-running work has one line when it begins and one when it is done.
    expect(written, power).toHaveLength(action === 'reconcile_payments' ? 2 : 1)
    // Looking changes nothing; everything else records the old state, the new one, or both.
    if (action !== 'reveal_ssn') expect(written[0]?.before ?? written[0]?.after, power).not.toBeNull()
  }
}, 60_000)
