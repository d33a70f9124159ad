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

/** The database with the rights that the feed has, counting what it is asked. */
function service() {
  const asked = { times: 0 }
  const rows = <Row>({ text, values }: { text: string; values: readonly unknown[] }) => {
    asked.times++
    return database.query(text, [...values]) as Promise<Row[]>
  }
  return { asked, db: { isService: true as const, rows } }
}

/** A transaction that has written, and its id as the log tells it. */
async function begin(): Promise<number> {
  await writer.query('begin')
  const { rows } = await writer.query<{ xid: string }>('select pg_current_xact_id()::xid::text as xid')
  return Number(rows[0]?.xid)
}

describe('a commit that the log tells of', () => {
  it('is waited for until others see what it did [API-RT-02]', async () => {
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

  it('is waited for although later ones are over already [API-RT-02]', async () => {
    const xid = await begin()
    await database.query('select pg_current_xact_id()')
    const outcome = await Promise.race([
      new CommitVisibility(service().db).wait([xid]).then(() => 'seen'),
      new Promise((resolve) => setTimeout(resolve, 100, 'waiting')),
    ])
    expect(outcome).toBe('waiting')
    await writer.query('rollback')
  })

  it('is asked about once for all its changes', async () => {
    const xid = await begin()
    await writer.query('commit')
    const { db, asked } = service()
    const commits = new CommitVisibility(db)
    for (let change = 0; change < 3; change++) await commits.wait([xid])
    expect(asked.times).toBe(1)
  })
})
