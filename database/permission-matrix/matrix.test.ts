import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { functions, helpers, relations } from './expectations.ts'
import { buildMatrixFixture, type MatrixFixture } from './matrix-fixture.ts'
import { buildProbes, nameRows, type Probe } from './probes.ts'
import { permissionsOf } from './relation.ts'
import { describeDifference, loadProbes, meetAll } from './run.ts'

let database: TestDatabase
let client: pg.Client
let world: MatrixFixture
let probes: Probe[]
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  world = await buildMatrixFixture(client)
  probes = await buildProbes(world)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const names = async (text: string) => (await client.query<{ name: string }>(text)).rows.map(({ name }) => name)

describe('the permission matrix', () => {
  it('covers every table and view that clients can access [GEN-35, API-REST-42]', async () => {
    const named =
      await names(`select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'storage', 'realtime') and c.relkind in ('r', 'v', 'p', 'm', 'f')`)
    expect(Object.keys(relations).toSorted()).toEqual(named.toSorted())
  })

  it('covers every function that clients can access, and who may call it [GEN-34, GEN-35]', async () => {
    const callable = (role: string) =>
      names(`select case n.nspname when 'storage' then 'storage.' else '' end || p.proname || '(' ||
          replace(pg_catalog.oidvectortypes(p.proargtypes), ', ', ',') || ')' as name
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'storage') and p.prorettype <> 'trigger'::regtype
          and has_function_privilege('${role}', p.oid, 'execute')`)
    const listed = (right: 'anon' | 'authenticated') =>
      Object.entries(functions)
        .filter(([, callable]) => callable[right])
        .map(([name]) => name)
    expect(listed('anon').toSorted()).toEqual((await callable('anon')).toSorted())
    expect(listed('authenticated').toSorted()).toEqual((await callable('authenticated')).toSorted())
    const calls = Object.entries(functions).filter(([, { calls }]) => Object.keys(calls).length === 0)
    expect(calls).toEqual([])
  })

  it('covers every helper function that policies call as the caller [GEN-35]', async () => {
    const callable = (role: string) =>
      names(`select n.nspname || '.' || p.proname || '(' || replace(pg_catalog.oidvectortypes(p.proargtypes), ', ', ',') || ')' as name
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('private', 'auth', 'realtime') and has_function_privilege('${role}', p.oid, 'execute')`)
    expect((await callable('anon')).toSorted()).toEqual(helpers.anon.toSorted())
    expect((await callable('authenticated')).toSorted()).toEqual(
      [...helpers.anon, ...helpers.authenticatedToo].toSorted(),
    )
  })

  it('names every row of its world, so that each row is checked', async () => {
    for (const [name, relation] of Object.entries(relations)) {
      const named = [...new Set((await nameRows(world, relation)).values())].toSorted()
      expect.soft({ [name]: named }).toEqual({ [name]: Object.keys(relation.select).toSorted() })
    }
  })

  it('probes each verb that clients may use, so that each grant is checked', () => {
    const unasked = Object.entries(relations).flatMap(([name, relation]) =>
      (['insert', 'update', 'delete'] as const).flatMap((verb) => {
        const isGranted = [relation.anon, relation.authenticated].some((rights) => permissionsOf(rights).has(verb))
        return isGranted && Object.keys(relation[verb] ?? {}).length === 0 ? [`${verb} on ${name}`] : []
      }),
    )
    expect(unasked).toEqual([])
  })

  it('finds no grants without a verb in the matrix: truncate, references, trigger, maintain [GEN-35]', async () => {
    const odd =
      await names(`select c.oid::regclass || ': ' || a.privilege_type as name from pg_class c join pg_namespace n on n.oid = c.relnamespace,
        aclexplode(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's'::"char" else 'r'::"char" end, c.relowner))) a
      where n.nspname in ('public', 'storage', 'private', 'auth', 'realtime') and a.grantee in (0, 'anon'::regrole, 'authenticated'::regrole)
        and (c.relkind = 'S' or a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE'))`)
    expect(odd).toEqual([])
  })

  it('matches the expected permissions in every cell [GEN-34, GEN-35, GEN-36, GEN-44, API-REST-42]', async () => {
    await loadProbes(world, probes)
    const outcomes = await meetAll(client)
    const differences = probes.flatMap((probe, n) =>
      outcomes[n] === probe.expected ? [] : [describeDifference(probe, outcomes[n] ?? 'no answer')],
    )
    expect(differences).toEqual([])
    expect(probes.reduce((sum, { cells }) => sum + cells, 0)).toBeGreaterThan(5_000)
  }, 60_000) // some thousand probes: a busy machine is slow
})
