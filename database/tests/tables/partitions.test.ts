import { migrate, migrationNames, withClient } from '@ovation/server/postgres/migrate'
import { keepPartitions, partitionedTables } from '@ovation/server/postgres/partitions'
import { createEmptyDatabase, type TestDatabase } from '@ovation/server/testing/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

const now = new Date()
/** The first moment of a month, counted from this one, in UTC. */
const month = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1))
/** `_202601` */
const suffix = (offset: number) => `_${month(offset).toISOString().slice(0, 7).replace('-', '')}`
const justBefore = (moment: Date) => new Date(moment.getTime() - 1)
const day = (moment: Date) => moment.toISOString().slice(0, 10)

describe('rows of a database from before the partitions', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createEmptyDatabase()
    await migrate(database.ownerUrl, { only: migrationNames().indexOf('0074_partitions') })
  })
  afterAll(() => database.drop())

  const everything = async () => {
    const tables = [...partitionedTables, 'private.daily_views', 'private.posts', 'private.notification_deliveries']
    const rows = tables.map(async (table) => {
      const found = await database.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)
      return [table, found.map(({ row }) => row)] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  }
  /** Permissions, policies, triggers, and checks. Indexes and keys have the month in addition. */
  const rules = () =>
    database.query(
      `select c.oid::regclass::text as table, c.relrowsecurity, c.relreplident,
         (select array_agg(a::text order by a::text) from unnest(c.relacl) a) as grants,
         (select json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attacl,
            pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum)) order by a.attnum) from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0) as columns,
         (select json_agg(json_build_array(p.polname, p.polcmd, p.polroles, pg_get_expr(p.polqual, p.polrelid)) order by p.polname) from pg_policy p where p.polrelid = c.oid) as policies,
         (select array_agg(pg_get_triggerdef(t.oid) order by t.tgname) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers,
         (select json_agg(json_build_array(k.conname, pg_get_constraintdef(k.oid)) order by k.conname) from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f')) as constraints,
         (select array_agg(replace(pg_get_indexdef(i.indexrelid), 'ON ONLY', 'ON') order by i.indexrelid::regclass::text) from pg_index i where i.indrelid = c.oid and not i.indisprimary) as indexes
       from unnest($1::regclass[]) t join pg_class c on c.oid = t order by 1`,
      [partitionedTables],
    )

  it('are all kept, each in its month, with the same permissions and rules [SCALE-05]', async () => {
    const moments = [justBefore(month(-14)), month(-14), justBefore(month(0)), month(0), now, month(30)]
    await database.query(
      `insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
       select n || '@example.com', now(), jsonb_build_object('username', 'p_' || n, 'terms_accepted', true) from unnest('{fan,creator}'::text[]) n`,
    )
    await database.query(
      `insert into private.posts (creator_id, title, content, post_type)
       select id, 'A post', 'Words', 'free' from private.profiles where username = 'p_creator'`,
    )
    for (const at of moments) {
      await database.query(
        `insert into public.notifications (user_id, type, title, created_at)
         select id, 'tip', 'A tip', $1 from private.profiles where username = 'p_creator'`,
        [at],
      )
      await database.query(
        `insert into public.audit_log (action, subject_type, subject_id, created_at) values ('x', 'x', gen_random_uuid(), $1)`,
        [at],
      )
      await database.query(`insert into auth.audit_log_entries (payload, created_at) values ('{}', $1)`, [at])
      await database.query(
        `insert into public.post_views (post_id, viewer_id, viewed_on)
         select p.id, f.id, $1 from private.posts p, private.profiles f where f.username = 'p_fan'`,
        [day(at)],
      )
      await database.query(
        `insert into public.profile_views (profile_id, viewer_id, viewed_on)
         select p.id, f.id, $1 from private.profiles p, private.profiles f where p.username = 'p_creator' and f.username = 'p_fan'`,
        [day(at)],
      )
    }
    const [rowsBefore, rulesBefore] = [await everything(), await rules()]
    expect(rowsBefore['private.notification_deliveries']).toHaveLength(moments.length)
    expect(await migrate(database.ownerUrl, { only: 1 })).toContain('0074_partitions')
    expect(await everything()).toEqual(rowsBefore)
    expect(await rules()).toEqual(rulesBefore)

    for (const table of partitionedTables) {
      const name = table.replace(/^\w+\./, '')
      const places = await database.query<{ place: string }>(
        `select replace(tableoid::regclass::text, $1, '') as place from ${table} order by ${name.endsWith('views') ? 'viewed_on' : 'created_at'}`,
        [`private.${name}`],
      )
      expect(places.map(({ place }) => place)).toEqual([
        suffix(-15),
        suffix(-14),
        suffix(-1),
        suffix(0),
        suffix(0),
        '_later',
      ])
    }
    // Numbers go on where they were.
    const [added] = await database.query<{ id: string; last: string }>(
      `with added as (
         insert into public.profile_views (profile_id, viewer_id)
         select p.id, f.id from private.profiles p, private.profiles f where p.username = 'p_fan' and f.username = 'p_creator' returning id
       ) select a.id, (select max(v.id) from public.profile_views v) as last from added a`,
    )
    expect(Number(added?.id)).toBe(Number(added?.last) + 1)
  })
})

describe('a partitioned table', () => {
  let world: DatabaseFixture
  let ownerUrl: string
  let creator: Creator
  let fan: Person
  beforeAll(async () => {
    world = await openDatabaseFixture()
    ownerUrl = world.ownerUrl
    creator = await world.buildCreator()
    fan = await world.buildPerson()
  })
  afterAll(() => world.close())

  const insert = (at: Date, title = 'A tip') =>
    world.query(
      `insert into public.notifications (user_id, type, title, created_at) values ($1, 'tip', $2, $3) returning id, tableoid::regclass::text as place`,
      [fan.profileId, title, at],
    )
  const places = async (table: string, key: string) =>
    (await world.query(`select tableoid::regclass::text as place from ${table} order by ${key}`)).map(
      ({ place }) => place,
    )
  const partitionsOf = async (table: string) =>
    (
      await world.query(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
        [table],
      )
    ).map(({ name }) => String(name))
  /** As if the job hadn't run for months: no partition after this month. */
  const forgetComingMonths = async (table: string) => {
    const name = table.replace(/^\w+\./, '')
    await world.query(`alter table ${table} detach partition private.${name}_later`)
    for (const offset of [1, 2, 3]) await world.query(`drop table private.${name}${suffix(offset)}`)
    await world.query(
      `alter table ${table} attach partition private.${name}_later for values from ('${day(month(1))} 00:00:00+00') to (maxvalue)`,
    )
  }

  it('has this month and the next three, and takes rows of any other time [SCALE-05]', async () => {
    for (const table of partitionedTables) {
      const name = table.replace(/^\w+\./, '')
      const months = [0, 1, 2, 3].map((offset) => `${name}${suffix(offset)}`)
      expect(await partitionsOf(table)).toEqual([...months, `${name}_earlier`, `${name}_later`])
    }
    const [[last], [first]] = [await insert(justBefore(month(1))), await insert(month(1))]
    expect([last?.place, first?.place]).toEqual([
      `private.notifications${suffix(0)}`,
      `private.notifications${suffix(1)}`,
    ])
    const [[ancient], [future]] = [
      await insert(new Date('1970-01-01T00:00:00Z')),
      await insert(new Date('2300-01-01T00:00:00Z')),
    ]
    expect([ancient?.place, future?.place]).toEqual(['private.notifications_earlier', 'private.notifications_later'])
    const seen = await world.as(fan, 'select created_at from public.notifications order by created_at desc, id desc')
    expect(seen.map(({ created_at }) => created_at)).toEqual([
      new Date('2300-01-01T00:00:00Z'),
      month(1),
      justBefore(month(1)),
      new Date('1970-01-01T00:00:00Z'),
    ])
    await world.query('delete from public.notifications')
  })

  it('gets the months that it lacks, with their rows, and nothing is counted or sent again [SCALE-05]', async () => {
    for (const table of partitionedTables) await forgetComingMonths(table)
    const post = await world.buildPost(creator)
    for (const at of [month(-2), justBefore(month(2)), month(2)]) {
      await insert(at)
      await world.query(
        `insert into public.audit_log (action, subject_type, subject_id, created_at) values ('x', 'x', gen_random_uuid(), $1)`,
        [at],
      )
      await world.query('insert into public.profile_views (profile_id, viewer_id, viewed_on) values ($1, $2, $3)', [
        creator.profileId,
        fan.profileId,
        day(at),
      ])
      await world.query('insert into public.post_views (post_id, viewer_id, viewed_on) values ($1, $2, $3)', [
        post.id,
        fan.profileId,
        day(at),
      ])
    }
    const counted = () =>
      world.query(
        `select (select json_agg(d order by d.day) from private.daily_views d) as days, (select views_count from private.posts where id = $1) as views,
           (select json_agg(q order by q.notification_id) from private.notification_deliveries q) as deliveries,
           (select json_agg(n order by n.id) from public.notifications n) as notifications, (select json_agg(v order by v.id) from public.post_views v) as seen`,
        [post.id],
      )
    const before = await counted()
    await keepPartitions(ownerUrl, {})
    expect(await counted()).toEqual(before)
    const expected = [suffix(-2), suffix(1), suffix(2)]
    expect(await places('public.notifications', 'created_at')).toEqual(
      expected.map((at) => `private.notifications${at}`),
    )
    expect(await places('public.post_views', 'viewed_on')).toEqual(expected.map((at) => `private.post_views${at}`))
    expect(await places('public.profile_views', 'viewed_on')).toEqual(
      expected.map((at) => `private.profile_views${at}`),
    )
    expect((await places('public.audit_log', 'created_at')).toSorted()).toEqual(
      expected.map((at) => `private.audit_log${at}`),
    )
    // Without gaps, and again without effect.
    const months = [-2, -1, 0, 1, 2, 3].map((offset) => `notifications${suffix(offset)}`)
    expect(await partitionsOf('public.notifications')).toEqual([
      ...months,
      'notifications_earlier',
      'notifications_later',
    ])
    await keepPartitions(ownerUrl, {})
    expect(await partitionsOf('public.notifications')).toHaveLength(8)
    // A row of the views still counts once, and is counted back.
    await world.query('delete from public.post_views')
    expect(await world.query('select views_count from private.posts where id = $1', [post.id])).toEqual([
      { views_count: 0 },
    ])
    await world.query('delete from public.notifications')
  })

  it('moves a grouped notification to the month of its last news, without another email [NOTI-15, SCALE-05]', async () => {
    const post = await world.buildPost(creator)
    const like = (person: Person) =>
      world.as(person, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [post.id, person.profileId])
    await like(fan)
    const grouped = `select id, data ->> 'count' as count, tableoid::regclass::text as place from public.notifications where user_id = $1 and data ->> 'group' = 'like:${post.id}'`
    await world.query('update public.notifications set created_at = $1 where user_id = $2', [
      month(-1),
      creator.profileId,
    ])
    const [before] = await world.query(grouped, [creator.profileId])
    expect(before?.place).toBe(`private.notifications${suffix(-1)}`)
    const queued = 'select count(*) from private.notification_deliveries'
    const deliveries = await world.query(queued)
    await like(await world.buildPerson())
    expect(await world.query(grouped, [creator.profileId])).toEqual([
      { id: before?.id, count: '2', place: `private.notifications${suffix(0)}` },
    ])
    expect(await world.query(queued)).toEqual(deliveries)
  })

  it("can't be reached through its partitions, and they are append-only like the table [SCALE-05, GEN-35, DATA-25]", async () => {
    const partitions = await world.query(
      `select i.inhrelid::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r' and i.inhparent = any($1::regclass[])`,
      [partitionedTables],
    )
    expect(partitions.length).toBeGreaterThanOrEqual(30)
    const open = await world.query(
      `select p.name, r.role from unnest($1::text[]) p (name), unnest('{anon,authenticated,service_role}'::text[]) r (role)
       where has_table_privilege(r.role, p.name, 'select, insert, update, delete, truncate, references, trigger')
         or has_any_column_privilege(r.role, p.name, 'select, insert, update, references')`,
      [partitions.map(({ name }) => name)],
    )
    expect(open).toEqual([])
    for (const call of [
      `select private.create_partitions('public.notifications')`,
      `select private.drop_partitions('public.notifications', 1)`,
      `select * from private.audit_log${suffix(0)}`,
    ]) {
      await expect(world.as('service_role', call)).rejects.toMatchObject(refused)
      await expect(world.as(fan, call)).rejects.toMatchObject(refused)
    }
    await world.query(
      `insert into public.audit_log (action, subject_type, subject_id) values ('x', 'x', gen_random_uuid())`,
    )
    for (const change of [
      `update private.audit_log${suffix(0)} set action = 'y'`,
      `delete from private.audit_log${suffix(0)}`,
      `truncate private.audit_log${suffix(0)}`,
      'truncate private.audit_log_earlier',
      'truncate private.audit_log_later',
    ])
      await expect(world.query(change)).rejects.toMatchObject({
        ...refused,
        message: 'public.audit_log is append-only',
      })
  })

  it('loses whole months once their last day is older than its retention, and no other [SCALE-05]', async () => {
    await world.query('delete from public.notifications')
    for (const at of [month(-3), justBefore(month(-1)), month(-1), now]) await insert(at)
    await keepPartitions(ownerUrl, {}) // without a setting, forever
    await insert(new Date('1999-01-01T00:00:00Z'))
    const left = async () =>
      (await world.query('select created_at from public.notifications order by 1')).map(({ created_at }) => created_at)
    expect(await left()).toHaveLength(5)
    // The retention ends within the month before: that month stays, and everything before it goes.
    const days = Math.ceil((now.getTime() - month(-1).getTime()) / 86_400_000) - 1
    await world.query(`select private.drop_partitions('public.notifications', $1)`, [days])
    expect(await left()).toEqual([month(-1), now])
    expect((await partitionsOf('public.notifications'))[0]).toBe(`notifications${suffix(-1)}`)
    // Old rows are still taken.
    expect(await insert(month(-6))).toMatchObject([{ place: 'private.notifications_earlier' }])
    await keepPartitions(ownerUrl, { 'public.notifications': days })
    expect(await left()).toEqual([month(-1), now])
    // What was queued for them is over with them.
    await world.query(`update private.notification_deliveries set due_at = now() - interval '1 hour'`)
    await world.as('service_role', `select private.take_deliveries('email', 0, 100)`)
    expect(
      await world.query(
        `select from private.notification_deliveries d where d.channel = 'email' and not exists (select from public.notifications n where n.id = d.notification_id)`,
      ),
    ).toEqual([])
    // The admins' log is kept, even if the owner asks.
    await expect(world.query(`select private.drop_partitions('public.audit_log', 1)`)).rejects.toMatchObject(refused)
  })

  it('waits for the next run when it is in use, and keeps nobody waiting [SCALE-05]', async () => {
    for (const table of ['public.notifications', 'public.audit_log']) await forgetComingMonths(table)
    await withClient(ownerUrl, async (reader) => {
      await reader.query('begin')
      await reader.query('select count(*) from public.notifications')
      await expect(keepPartitions(ownerUrl, {})).rejects.toThrow(/lock timeout/)
      await reader.query('commit')
    })
    expect(await partitionsOf('public.audit_log')).toContain(`audit_log${suffix(3)}`)
    expect(await partitionsOf('public.notifications')).not.toContain(`notifications${suffix(3)}`)
    await keepPartitions(ownerUrl, {})
    expect(await partitionsOf('public.notifications')).toContain(`notifications${suffix(3)}`)
  })
})
