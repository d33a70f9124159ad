import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@ovation/server/postgres/embedded'
import { ensureDatabase, migrate, withClient } from '@ovation/server/postgres/migrate'
import { type BenchServer, startServer } from './start-server.ts'

/** A gateway in a process of its own on a fresh database, which are gone afterwards. */
export async function withServer(
  options: { readonly collectsGarbage?: boolean },
  work: (server: BenchServer, ownerUrl: string) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ovation-bench-realtime-'))
  try {
    const postgres = await startEmbedded({ dataDir, password: 'bench', settings: { fsync: 'off' } })
    try {
      await withPostgres(postgres, dataDir, options, work)
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function withPostgres(
  postgres: EmbeddedPostgres,
  dataDir: string,
  options: Parameters<typeof withServer>[0],
  work: Parameters<typeof withServer>[1],
): Promise<void> {
  await ensureDatabase(postgres.url('postgres'), 'ovation')
  const ownerUrl = postgres.url('ovation')
  await migrate(ownerUrl)
  await withClient(ownerUrl, (client) => client.query(`alter role authenticator login password 'bench'`))
  const requestUrl = ownerUrl.replace('//postgres:', '//authenticator:')
  const env = {
    NODE_ENV: 'production',
    AUTH_MAILER_AUTOCONFIRM: '1',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ...withoutLimits,
  }
  const server = await startServer(env, [requestUrl, ownerUrl], options)
  try {
    await work(server, ownerUrl)
  } finally {
    await server.stop()
  }
}

/** What the gateway can do is measured: limits are counted, and never reached. */
const withoutLimits = {
  REALTIME_MAX_DELIVERIES_PER_SECOND: '1000000',
  REALTIME_MAX_DELIVERIES_PER_SECOND_PER_TOPIC: '1000000',
  REALTIME_MAX_DELIVERIES_PER_SECOND_PER_SENDER: '1000000',
}
