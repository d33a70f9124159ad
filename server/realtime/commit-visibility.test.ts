import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { CommitVisibility } from './commit-visibility.ts'

let database: TestDatabase
let writer: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  writer = new pg.Client({ connectionString: database.ownerUrl })
  await writer.connect()
})
afterAll(async () => {
  await writer.end()
  await database.drop()
})

/** The database with the change delivery's permissions, counting its queries. */
function service() {
  const asked = { times: 0 }
  const rows = <Row>({ text, values }: { text: string; values: readonly unknown[] }) => {
    asked.times++
    return database.query(text, [...values]) as Promise<Row[]>
  }
  return { asked, db: { isService: true as const, rows } }
}

/** A transaction that has written, and its id as in the log. */
async function begin(): Promise<number> {
  await writer.query('begin')
  const { rows } = await writer.query<{ xid: string }>('select pg_current_xact_id()::xid::text as xid')
  return Number(rows[0]?.xid)
}

describe('a commit in the log', () => {
  it('is waited for until others see its changes [API-RT-02]', async () => {
    const xid = await begin()
    let seen = false
    const waiting = new CommitVisibility(service().db).wait([xid]).then(() => {
      seen = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(seen).toBe(false)
    await writer.query('commit')
    await waiting
    expect(seen).toBe(true)
  })

  it('is waited for although later ones have already ended [API-RT-02]', async () => {
    const xid = await begin()
    await database.query('select pg_current_xact_id()')
    const outcome = await Promise.race([
      new CommitVisibility(service().db).wait([xid]).then(() => 'seen'),
      new Promise((resolve) => setTimeout(resolve, 100, 'waiting')),
    ])
    expect(outcome).toBe('waiting')
    await writer.query('rollback')
  })

  it('takes one query for all its changes', async () => {
    const xid = await begin()
    await writer.query('commit')
    const { db, asked } = service()
    const commits = new CommitVisibility(db)
    for (let change = 0; change < 3; change++) await commits.wait([xid])
    expect(asked.times).toBe(1)
  })
})
