import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
let person: Person
beforeAll(async () => {
  gateway = await startGateway({ env: { NOTIFICATION_DAYS: '100' } })
  person = await gateway.signUp()
})
afterAll(() => gateway?.close())

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
