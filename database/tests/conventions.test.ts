import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture } from './database-fixture.ts'

/** Conventions for every table and function. The permissions on each of them are tested in `database/permission-matrix`. */
const ours = `('auth', 'private', 'public', 'realtime', 'storage')`
let world: DatabaseFixture
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())

const names = async (text: string) => (await world.query(text)).map(({ name }) => name)

/** Texts without a constraint of their own, and what bounds them. */
const boundedElsewhere = {
  'creator_applications.full_ssn': 'never stored',
  'creator_applications.id_back_url': 'an uploaded file',
  'creator_applications.id_front_url': 'an uploaded file',
  'messages.content': 'private.messages.body',
  'messages.media_urls': 'private.messages.media_paths',
  'posts.cover_path': 'an uploaded file',
  'scheduled_posts.cover_path': 'an uploaded file',
  'scheduled_posts.poll': 'as a poll',
  'session_availability.time_zone': 'a known zone',
  'user_settings.notifications': 'known settings',
  'user_settings.privacy': 'known settings',
  'user_settings.security': 'known settings',
}

describe('conventions of the schema', () => {
  it('has row-level security on every table [GEN-35, API-REST-42]', async () => {
    const open = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and c.relkind in ('r', 'p') and not c.relrowsecurity`
    expect(await names(open)).toEqual([])
  })

  it('has a comment on every table, view, and function', async () => {
    const bare = `
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and c.relkind in ('r', 'v', 'p') and obj_description(c.oid, 'pg_class') is null
      union all
      select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ${ours} and obj_description(p.oid, 'pg_proc') is null`
    expect(await names(bare)).toEqual([])
  })

  it("has only function bodies that PostgreSQL accepts, which isn't checked while migrations run", async () => {
    await world.query(`do $$
      declare v_function oid;
      begin
        set local check_function_bodies = on;
        for v_function in
          select p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ${ours} and p.prokind = 'f'
        loop
          execute pg_get_functiondef(v_function);
        end loop;
      end $$`)
  })

  it('bounds every text that clients can write, by its length or by what it may be [GEN-10]', async () => {
    const unbounded = `
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
        and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'text[]'::regtype, 'jsonb'::regtype)
        and exists (
          select from unnest('{anon,authenticated}'::text[]) role, unnest('{insert,update}'::text[]) verb
          where has_column_privilege(role, c.oid, a.attnum, verb))
        -- A view's columns have their constraints in the table behind it.
        and not exists (
          select from pg_constraint k
          where k.contype = 'c' and k.conrelid in (c.oid, to_regclass('private.' || c.relname))
            and pg_get_constraintdef(k.oid) ~ ('\\m' || a.attname || '\\M')
            and pg_get_constraintdef(k.oid) ~ '(length|cardinality)\\(.*<=|= ANY|<@|~ |private\\.are_\\w+_hours')`
    expect((await names(unbounded)).toSorted()).toEqual(Object.keys(boundedElsewhere).toSorted())
  })

  it('pins the search path of every security definer function', async () => {
    const loose = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ${ours} and p.prosecdef and not ('search_path=""' = any(coalesce(p.proconfig, '{}')))`
    expect(await names(loose)).toEqual([])
  })

  it('grants no function to everyone by default', async () => {
    const open = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
        aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where n.nspname in ${ours} and a.grantee = 0`
    expect(await names(open)).toEqual([])
  })

  it("has an index for every foreign key, so that deleting an account doesn't scan tables", async () => {
    const bare = `select k.conrelid::regclass || '.' || k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${ours} and k.contype = 'f' and k.conrelid not in ('storage.objects'::regclass)
        and not exists (
          select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1]
            -- One of some of its rows does not find the rest; only those without a value need not be found.
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)',
              (select a.attname from pg_attribute a where a.attrelid = k.conrelid and a.attnum = k.conkey[1])))
        )`
    expect(await names(bare)).toEqual([])
  })

  it('has no generated column in a unique key, or each update would lock its row against all foreign keys', async () => {
    const locking = `select c.oid::regclass || '.' || a.attname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_index i on i.indrelid = c.oid and i.indisunique and i.indpred is null
        join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey) and a.attgenerated <> ''
      where n.nspname in ${ours}`
    expect(await names(locking)).toEqual([])
  })

  it('keeps clients out of the internal schemas', async () => {
    const reachable = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace,
        unnest(array['anon', 'authenticated']) as role
      where n.nspname in ('private', 'auth') and c.relkind in ('r', 'v', 'p') and has_any_column_privilege(role, c.oid, 'select, insert, update, references')`
    expect(await names(reachable)).toEqual([])
    expect(await world.query(`select has_schema_privilege('authenticated', 'private', 'usage') as usage`)).toEqual([
      { usage: false },
    ])
  })
})
