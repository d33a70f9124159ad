import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { findNewerMigrations } from './newer-schema.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const listMigrations = () => database.query('select name, run_on from private.migrations order by name')

it('rejects a database from before the first release, says what to do, and changes nothing', async () => {
  await database.query(`update private.migrations set name = '0001_foundations' where name like '0001\\_%'`)
  const before = await listMigrations()
  const sentence = 'A development version of Ovation from before its first release made this database'
  await expect(migrate(database.ownerUrl)).rejects.toThrow(sentence)
  await expect(findNewerMigrations(database.ownerUrl)).rejects.toThrow(sentence)
  expect(await listMigrations()).toEqual(before)
})
