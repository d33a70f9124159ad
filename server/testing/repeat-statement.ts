import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../postgres/client.ts'

// `repeat-statement.ts <owner's connection string> <statement>`: runs a step of a job again and again, as jobs do, until it is killed. One
// run isn't enough: a step finds nothing to do while the database still works for a process that is gone.
const [, , connectionString, statement = ''] = process.argv
const client = new Client({ connectionString, application_name: 'repeated' })
await client.connect()
for (;;) {
  const { rows } = await client.query<{ more: boolean }>(statement)
  if (!rows[0]?.more) await sleep(100)
}
