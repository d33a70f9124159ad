import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@ovation/server/postgres/embedded'
import { ensureDatabase, migrate, withClient } from '@ovation/server/postgres/migrate'
import type pg from 'pg'

/** Runs `work` on a fresh database to which all migrations have been applied, and leaves nothing behind. */
export async function withMigratedDatabase(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-generate-'))
  const postgres = await startEmbedded({ dataDir, password: 'generate', settings: { fsync: 'off' } })
  try {
    const url = postgres.url('ovation')
    await ensureDatabase(postgres.url('postgres'), 'ovation')
    await migrate(url)
    await withClient(url, async (client) => {
      await client.query(`set search_path = ''`) // so that every name in a definition is qualified
      await work(client)
    })
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
