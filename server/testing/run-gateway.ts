import { flushCompileCache } from 'node:module'
import { pino } from 'pino'
import { parseConfig } from '../config.ts'
import { startGateway } from '../gateway.ts'
import { loadSecrets } from '../secrets.ts'

// The gateway as a process of its own, for tests that kill it: see gateway-process.ts.
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
// Where NODE_COMPILE_CACHE names a folder, the next start costs half. A process that is killed writes nothing at its end.
flushCompileCache()
process.stdout.write(`${gateway.url}\n`)
