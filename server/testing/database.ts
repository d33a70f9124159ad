import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Caller } from '../postgres/caller.ts'
import { withClient } from '../postgres/migrate.ts'

export type TestDatabase = {
  /** Connection string of the owner. */
  readonly ownerUrl: string
  /** Connection string of the gateway's login role. */
  readonly requestUrl: string
  /** Runs SQL as the superuser: to set up data, and to see what the database really holds. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** Runs SQL as a caller, in its own transaction. */
  as<Row extends pg.QueryResultRow>(caller: Caller, text: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

/** A separate database for one test file, copied from the migrated template. */
export const createTestDatabase = () => createDatabase('ovation_template')

/** A database without our schemas. */
export const createEmptyDatabase = () => createDatabase('template0')

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const serverUrl = inject('postgresUrl').replace('DATABASE', 'postgres')
  // As files: a copy through the write-ahead log takes twice as long, and each gateway's log reader reads it all.
  await withClient(serverUrl, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  )
  const ownerUrl = inject('postgresUrl').replace('DATABASE', name)
  const requestUrl = ownerUrl.replace('//postgres:', '//authenticator:')
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 4 })
  // The drop below ends connections, also those that the pool is closing and no longer listens to.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  return {
    ownerUrl,
    requestUrl,
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    as: async <Row extends pg.QueryResultRow>({ role, claims }: Caller, text: string, values: unknown[] = []) => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query(`select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`, [
          role,
          JSON.stringify(claims),
        ])
        const { rows } = await client.query<Row>(text, values)
        await client.query('commit')
        return rows
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
    },
    async drop() {
      await pool.end()
      await withClient(serverUrl, (client) => dropDatabase(client, name))
    },
  }
}

/** The log reader of a gateway that has just closed holds its slot for another moment, and `force` does not end that. */
async function dropDatabase(client: pg.Client, name: string, tries = 300): Promise<void> {
  try {
    await client.query(`drop database if exists ${name} with (force)`)
  } catch (error) {
    const isInUse = error instanceof pg.DatabaseError && error.code === '55006'
    if (!isInUse || tries === 1) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
    await dropDatabase(client, name, tries - 1)
  }
}
