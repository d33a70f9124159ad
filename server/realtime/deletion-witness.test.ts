import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../postgres/caller.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import type { Change } from './change.ts'
import { DeletionWitness } from './deletion-witness.ts'
import type { Relation } from './relation.ts'

const log = pino({ level: 'silent' })
const column = (name: string, type = 'text') => ({ name, type })
const columns = [column('id', 'uuid'), column('user_id', 'uuid'), column('data', 'jsonb')]
const relation: Relation = {
  schema: 'public',
  table: 'notifications',
  columns,
  allColumns: columns,
  key: ['id'],
  keyTypes: ['uuid'],
  plainColumns: columns.map(({ name }) => name),
  isGuarded: true,
}

let database: TestDatabase
let witness: DeletionWitness
let change: Change
let owner: Caller
let stranger: Caller

async function signUp(username: string): Promise<{ caller: Caller; profileId: string }> {
  const sub = randomUUID()
  await database.query(
    `insert into auth.users (id, aud, role, email, raw_user_meta_data) values ($1, 'authenticated', 'authenticated', $2, $3)`,
    [sub, `${username}@example.com`, { username }],
  )
  const [profile] = await database.query<{ id: string }>('select id from private.profiles where user_id = $1', [sub])
  return { caller: { role: 'authenticated', claims: { sub, role: 'authenticated' } }, profileId: profile?.id ?? '' }
}

beforeAll(async () => {
  database = await createTestDatabase()
  witness = new DeletionWitness(database.ownerUrl, log)
  const ada = await signUp('ada')
  owner = ada.caller
  stranger = (await signUp('bob')).caller
  const row = {
    id: randomUUID(),
    user_id: ada.profileId,
    type: 'tip',
    title: 'Gone',
    message: '',
    data: '{"a": [1]}',
    is_read: 'f',
    created_at: '2026-01-02 03:04:05.678901+00',
  }
  change = { type: 'DELETE', schema: 'public', table: 'notifications', row, old: row, committedAt: new Date(), xid: 0 }
})
afterAll(async () => {
  await witness?.stop()
  await database?.drop()
})

describe('the viewer of a deleted row [API-RT-04]', () => {
  it('is its owner, and no other user', async () => {
    const asked = [stranger, owner].map((caller) => ({ caller }))
    expect(await witness.whoSaw(change, relation, asked)).toEqual([false, true])
    expect(await witness.whoSaw(change, relation, [])).toEqual([])
  })

  it('is determined without a trace', async () => {
    await witness.whoSaw(change, relation, [{ caller: owner }])
    expect(await database.query('select id from public.notifications')).toEqual([])
    const sessions = await database.query(
      `select state from pg_stat_activity where application_name = 'ovation realtime' and datname = current_database()`,
    )
    expect(sessions).toEqual([{ state: 'idle' }]) // and in no transaction
  })

  it('is nobody when the log has only the key', async () => {
    const keyOnly = { ...change, row: { id: change.row.id } }
    expect(await witness.whoSaw(keyOnly, relation, [{ caller: owner }])).toEqual([false])
  })

  it('is nobody where the owner may not put the row back', async () => {
    const weak = new DeletionWitness(database.requestUrl, log)
    expect(await weak.whoSaw(change, relation, [{ caller: owner }])).toEqual([false])
    await weak.stop()
  })
})
