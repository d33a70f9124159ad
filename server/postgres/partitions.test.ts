import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { withClient } from './migrate.ts'

let gateway: TestGateway
let person: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { NOTIFICATION_DAYS: '100' } })
  person = await gateway.signUp()
})
afterAll(() => gateway?.close())

it('a notification is marked as read although it moves to this month meanwhile [API-REST-14, SCALE-05]', async () => {
  const [notification] = await gateway.query<{ id: string }>(
    `insert into public.notifications (user_id, type, title, created_at) values ($1, 'like', 'New like', now() - interval '40 days') returning id`,
    [person.profileId],
  )
  const marked = await withClient(gateway.database.ownerUrl, async (next) => {
    await next.query('begin')
    await next.query('update public.notifications set created_at = now() where id = $1', [notification?.id])
    const marking = person.client
      .from('notifications')
      .update({ is_read: true })
      .eq('id', notification?.id ?? '')
      .select('id, is_read')
      .then((result) => result)
    await eventually(async () =>
      expect(
        await gateway.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`,
        ),
      ).toHaveLength(1),
    )
    await next.query('commit')
    return marking
  })
  expect([marked.error, marked.data]).toEqual([null, [{ id: notification?.id, is_read: true }]])
  await gateway.query('delete from public.notifications')
})

it('makes the months of old rows each night, and drops those that have passed their retention [SCALE-05]', async () => {
  await gateway.query(
    `insert into public.notifications (user_id, type, title, created_at)
     select $1, 'tip', n || ' days ago', now() - make_interval(days => n) from unnest('{500,200,60,1}'::int[]) n`,
    [person.profileId],
  )
  await gateway.query(
    `insert into auth.audit_log_entries (payload, created_at)
     select jsonb_build_object('action', n || ' days ago'), now() - make_interval(days => n) from unnest('{500,200}'::int[]) n`,
  )
  await gateway.services.jobs.send({ name: 'partitions' }, {})
  await eventually(async () =>
    expect(
      await gateway.query(
        `select title, tableoid::regclass::text ~ to_char(created_at at time zone 'UTC', '_YYYYMM$') as "isInItsMonth"
         from public.notifications order by created_at`,
      ),
    ).toEqual([
      { title: '60 days ago', isInItsMonth: true },
      { title: '1 days ago', isInItsMonth: true },
    ]),
  )
  // 400 days by default.
  await eventually(async () =>
    expect(
      await gateway.query(
        `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'action' like '%ago'`,
      ),
    ).toEqual([{ action: '200 days ago' }]),
  )
})
