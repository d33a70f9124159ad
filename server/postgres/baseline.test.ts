import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate, migrationNames } from './migrate.ts'
import { findNewerMigrations } from './newer-schema.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const listMigrations = async () =>
  (await database.query<{ name: string }>('select name from private.migrations order by name')).map(({ name }) => name)

const pretendMadeBy = (...names: string[]) =>
  database.query(
    `with gone as (delete from private.migrations)
     insert into private.migrations (name, run_on) select name, now() from unnest($1::text[]) name`,
    [names],
  )

it('adopts a database that the replaced migrations made once, however many nodes start', async () => {
  await pretendMadeBy('0001_foundations', '0690_amounts_in_cents', '0745_updates_of_views')
  expect(await findNewerMigrations(database.ownerUrl)).toEqual([])
  await Promise.all([migrate(database.ownerUrl), migrate(database.ownerUrl)])
  expect(await listMigrations()).toEqual(migrationNames())
  expect(await migrate(database.ownerUrl)).toEqual([])
})

it('rejects a database that stopped among the replaced migrations, and changes nothing', async () => {
  await pretendMadeBy('0001_foundations', '0690_amounts_in_cents')
  await expect(migrate(database.ownerUrl)).rejects.toThrow(
    'An early version of Ovation made this database, up to the migration 0690_amounts_in_cents. Start the version that ends with 0745_updates_of_views on it once',
  )
  expect(await listMigrations()).toEqual(['0001_foundations', '0690_amounts_in_cents'])
})
