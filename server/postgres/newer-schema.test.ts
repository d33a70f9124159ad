import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { examine } from '../operations/doctor.ts'
import { loadSecrets } from '../secrets.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { migrationNames } from './migrate.ts'
import { openDatabase } from './open.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ovation-newer-'))
const log = pino({ level: 'silent' })
let database: TestDatabase
let config: ReturnType<typeof parseConfig>

beforeAll(async () => {
  database = await createTestDatabase()
  config = parseConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl })
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const open = async (settings = config) => openDatabase(settings, await loadSecrets(settings), log)

it('does not start on a database that a newer version has migrated, unless MIGRATE=0 asks for it', async () => {
  expect(await open()).toMatchObject({ hasProductSchema: true })
  await database.query(`insert into private.migrations (name, run_on) values ('9999_of_tomorrow', now())`)
  await expect(open()).rejects.toThrow(
    `A newer version of Ovation has migrated this database (up to 9999_of_tomorrow; this version ends at ${migrationNames().at(-1)}). Start that version or a newer one`,
  )
  const findings = await examine(config)
  expect(findings.filter(({ part, state }) => part === 'database' && state === 'failed')).toMatchObject([
    { seen: expect.stringContaining('up to 9999_of_tomorrow') },
  ])
  expect(await open({ ...config, migrate: false })).toMatchObject({ hasProductSchema: true })
})
