import { Relations } from '@ovation/server/realtime/relations'
import { Visibility } from '@ovation/server/realtime/visibility'
import { createTestDatabase, type TestDatabase } from '@ovation/server/testing/database'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildMatrixFixture, type MatrixFixture } from './matrix-fixture.ts'
import { everyPersona, type Persona, roleOf } from './personas.ts'

let database: TestDatabase
let client: pg.Client
let world: MatrixFixture
let visibility: Visibility
let relations: Relations

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  world = await buildMatrixFixture(client)
  visibility = new Visibility(database.requestUrl)
  relations = new Relations(visibility)
})
afterAll(async () => {
  await visibility.stop()
  await client.end()
  await database.drop()
})

const callerOf = (persona: Persona) => ({ role: roleOf(persona), claims: JSON.parse(world.claims(persona)) })

/** Each followed table under the name that clients use, and the table that holds its rows. */
async function followed() {
  const { rows } = await client.query<{ table: string; base: string }>(
    `select tablename as table, format('%I.%I', schemaname, tablename) as base from pg_publication_tables where pubname = 'ovation_realtime' order by 1`,
  )
  return rows
}

describe('row changes and the permission matrix', () => {
  it('show every persona every row as their own query would [API-RT-04, GEN-35]', async () => {
    let compared = 0
    for (const { table, base } of await followed()) {
      const { rows } = await client.query<{ row: Record<string, string>; id: string }>(
        `select id::text, jsonb_build_object('id', id::text) as row from ${base}`,
      )
      for (const role of ['anon', 'authenticated', 'service_role'] as const) {
        const relation = await relations.find('public', table, role)
        if (!relation || relation.columns.length === 0) continue
        const askers = everyPersona.filter((persona) => roleOf(persona) === role)
        // All of them in one statement, one persona after another for each row.
        const questions = rows.flatMap(({ row }) =>
          askers.map((persona) => ({ row, caller: callerOf(persona), persona })),
        )
        const seen = await visibility.see(relation, questions)
        const names = relation.columns.map(({ name }) => `"${name}"`).join(', ')
        const alone = await Promise.all(
          askers.map(async (persona) => {
            const found = await database.as<{ id: string; row: string }>(
              callerOf(persona),
              `select q.id::text as id, row_to_json(q)::text as row from (select ${names} from public.${table}) q`,
            )
            return new Map(found.map(({ id, row }) => [`${persona} ${id}`, row]))
          }),
        )
        const expected = new Map(alone.flatMap((map) => [...map]))
        questions.forEach(({ row, persona }, index) => {
          const own = expected.get(`${persona} ${row.id}`) ?? null
          expect({ table, persona, id: row.id, row: seen[index] }).toEqual({ table, persona, id: row.id, row: own })
          compared++
        })
      }
    }
    expect(compared).toBeGreaterThan(500)
  })

  it('are shared only for tables that everyone sees alike [API-RT-04]', async () => {
    const open: string[] = []
    for (const { table } of await followed()) {
      for (const role of ['anon', 'authenticated']) {
        const relation = await relations.find('public', table, role)
        if (relation && relation.columns.length > 0 && !relation.isGuarded) open.push(`${table} to ${role}`)
      }
    }
    expect(open).toEqual([])
  })

  it("filter the row itself only by columns that aren't masked [API-RT-04]", async () => {
    const views = await client.query<{ view: string; columns: string[] }>(
      'select view_name as view, plain_columns as columns from private.followed_views order by 1',
    )
    expect(views.rows.map(({ view }) => view)).toEqual(['messages', 'posts', 'profiles'])
    for (const { view, columns } of views.rows) {
      const list = columns.map((name) => `"${name}"`).join(', ')
      const { rows } = await client.query<{ id: string; row: string }>(
        `select q.id::text as id, row_to_json(q)::text as row from (select ${list} from private.${view}) q`,
      )
      const held = new Map(rows.map(({ id, row }) => [id, row]))
      let compared = 0
      for (const persona of everyPersona) {
        const right = await client.query(`select has_table_privilege($1, 'public.${view}', 'select') as may`, [
          roleOf(persona),
        ])
        if (!right.rows[0]?.may) continue
        const seen = await database.as<{ id: string; row: string }>(
          callerOf(persona),
          `select q.id::text as id, row_to_json(q)::text as row from (select ${list} from public.${view}) q`,
        )
        for (const { id, row } of seen) expect({ view, persona, row }).toEqual({ view, persona, row: held.get(id) })
        compared += seen.length
      }
      expect(compared, `rows of ${view}`).toBeGreaterThan(10)
    }
  })
})
