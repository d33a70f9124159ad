import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Statement } from '../../postgres/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { keepCustomer } from './customers.ts'

const clicks = 8
let database: TestDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: clicks })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const rows = async <Row>({ text, values }: Statement) => (await pool.query(text, [...values])).rows as Row[]

async function signUp(): Promise<string> {
  const username = `u${randomUUID().replaceAll('-', '').slice(0, 20)}`
  const { rows: users } = await pool.query(
    `insert into auth.users (email, email_confirmed_at, raw_user_meta_data)
     values ($1 || '@example.com', now(), jsonb_build_object('username', $1::text, 'terms_accepted', true)) returning id`,
    [username],
  )
  const { rows: profiles } = await pool.query('select id from private.profiles where user_id = $1', [users[0].id])
  return profiles[0].id
}

// Which of them collide is chance; out of a hundred rounds, several showed the bug.
it('keeps one customer if several clicks create one at once', async () => {
  for (let round = 0; round < 300; round++) {
    const profileId = await signUp()
    const kept = Array.from({ length: clicks }, () => keepCustomer({ rows }, profileId, `cus_${round}`))
    expect(await Promise.all(kept)).toEqual(Array(clicks).fill(`cus_${round}`))
  }
})

it('keeps the first of two customers', async () => {
  const profileId = await signUp()
  expect(await keepCustomer({ rows }, profileId, 'cus_first')).toBe('cus_first')
  expect(await keepCustomer({ rows }, profileId, 'cus_second')).toBe('cus_first')
})
