import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endDescendantsWithThisProcess } from '../../testing/end-with-run.ts'
import { prepareJobs } from '../jobs/prepare.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { ensureDatabase, migrate, setGatewayPassword, withClient } from '../postgres/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's connection string, with `DATABASE` in place of the name. */
    postgresUrl: string
  }
}

const password = 'test'
const templateDatabase = 'ovation_template'

/** One PostgreSQL for the whole run. Each test file gets its own database, copied from a migrated template in milliseconds. */
export default async function setup(project: TestProject) {
  endDescendantsWithThisProcess()
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-test-'))
  // For tests that start the product as a process: all but the first find the server's modules compiled.
  process.env.NODE_COMPILE_CACHE ??= join(dataDir, 'compiled')
  const postgres = await startEmbedded({
    dataDir,
    password,
    // Test data needn't survive a power cut.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_replication_slots: '40',
      max_wal_senders: '40',
      max_connections: '300',
      // It would change estimates and costs in the middle of a test that compares them.
      autovacuum: 'off',
      // Neither do its passwords: each connection goes through that many rounds, 4,096 by default.
      scram_iterations: '1',
    },
  })
  await withClient(postgres.url('postgres'), (client) => client.query(`alter role postgres password '${password}'`))
  const templateUrl = postgres.url(templateDatabase)
  await ensureDatabase(postgres.url('postgres'), templateDatabase)
  await migrate(templateUrl)
  await prepareJobs(templateUrl)
  await setGatewayPassword(templateUrl, password)
  project.provide('postgresUrl', postgres.url('DATABASE'))
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
