import { mkdirSync } from 'node:fs'
import { parseConfig } from '@ovation/server/config'
import { startGateway } from '@ovation/server/gateway'
import { loadSecrets } from '@ovation/server/secrets'
import { pino } from 'pino'
import type { StartServer } from '../server-process.ts'

/** The product's gateway with all APIs, on the benchmark's schema. */
export const startServer: StartServer = async ({ ownerUrl, jwtSecret, dataDir, schemas, databaseConnections }) => {
  const config = parseConfig({
    NODE_ENV: 'production',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: ownerUrl,
    API_SCHEMAS: schemas.join(','),
    DATABASE_CONNECTIONS: String(databaseConnections),
    JWT_SECRET: jwtSecret,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
  })
  mkdirSync(dataDir, { recursive: true })
  const secrets = await loadSecrets(config)
  const log = pino({ level: config.logLevel }, pino.destination(2))
  const gateway = await startGateway({
    config,
    secrets,
    log,
    requestUrl: ownerUrl,
    ownerUrl,
    hasProductSchema: true,
    sandboxUrl: undefined,
  })
  return { url: `${gateway.url}/rest/v1` }
}
