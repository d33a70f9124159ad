import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { parseConfig } from '../config.ts'
import { startGateway } from '../gateway.ts'
import { loadSecrets } from '../secrets.ts'

// The gateway as a process, for tests that kill it: see gateway-process.ts.
const { GATEWAY_REQUEST_URL: requestUrl = '', GATEWAY_OWNER_URL: ownerUrl = '' } = process.env
const config = parseConfig(process.env)
const log = pino({ level: config.logLevel }, pino.destination(2))
const secrets = await loadSecrets(config)
const gateway = await startGateway({
  config,
  secrets,
  log,
  requestUrl,
  ownerUrl,
  hasProductSchema: true,
  sandboxUrl: undefined,
})
process.once('SIGTERM', () => void gateway.close().then(() => process.exit()))
// With a folder in NODE_COMPILE_CACHE, the next start takes half as long. A killed process would not write it at its end.
flushCompileCache()
process.stdout.write(`${gateway.url}\n`)
