import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { ChangeReader } from './change-reader.ts'

let database: TestDatabase
const role = `plain_${process.pid}`

beforeAll(async () => {
  database = await createTestDatabase()
  await database.query(`create role ${role} login password 'plain'`)
})
afterAll(async () => {
  await database.query(`drop role ${role}`)
  await database.drop()
})

function open(ownerUrl: string) {
  const lines: string[] = []
  const log = pino(
    { level: 'warn' },
    new Writable({ write: (line, _encoding, done) => done(void lines.push(`${line}`)) }),
  )
  const onChange = async () => undefined
  const reader = new ChangeReader({ ownerUrl, log, onChange, onTable: () => undefined, onLost: () => undefined })
  return { reader, lines }
}

it('reports in its state and in the log that the role lacks REPLICATION [API-RT-02]', async () => {
  const { reader, lines } = open(database.ownerUrl.replace(/\/\/[^@]+@/, `//${role}:plain@`))
  expect(reader.state).toEqual({ isReading: false, failure: undefined })
  expect(await reader.isLive(300)).toBe(false)
  const cause = `The role of DATABASE_URL lacks REPLICATION: run "alter role ${role} replication" as a superuser.`
  await eventually(() => expect(reader.state.failure).toContain(cause))
  expect(reader.state.isReading).toBe(false)
  const said = lines.map((line) => JSON.parse(line).msg as string)
  expect(said.join()).toContain(cause)
  await database.query(`alter role ${role} replication`)
  await database.query(`grant create on database ${new URL(database.ownerUrl).pathname.slice(1)} to ${role}`)
  await eventually(() => expect(reader.state).toEqual({ isReading: true, failure: undefined }))
  await reader.stop()
  await database.query(`alter role ${role} noreplication`)
  await database.query(`drop owned by ${role}`)
})

it('creates the operator’s publication again when it is missing, because reading needs it [API-RT-02]', async () => {
  await database.query('drop publication supabase_realtime')
  const { reader } = open(database.ownerUrl)
  expect(await reader.isLive(10_000)).toBe(true)
  expect(reader.state).toEqual({ isReading: true, failure: undefined })
  expect(await database.query(`select pubname from pg_publication where pubname = 'supabase_realtime'`)).toHaveLength(1)
  await reader.stop()
})
