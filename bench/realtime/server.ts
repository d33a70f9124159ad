import { parseConfig } from '@ovation/server/config'
import { startGateway } from '@ovation/server/gateway'
import { loadSecrets } from '@ovation/server/secrets'
import { pino } from 'pino'

/** The gateway in a process of its own, so that its memory and its time on the processor are its own. */
const config = parseConfig(process.env)
const secrets = await loadSecrets(config)
const [, , requestUrl = '', ownerUrl = ''] = process.argv
const log = pino({ level: 'error' })
const gateway = await startGateway({
  config,
  secrets,
  log,
  requestUrl,
  ownerUrl,
  hasProductSchema: true,
  sandboxUrl: undefined,
})

/** Bytes that the process holds and those that are in use, microseconds it has worked for, and open connections. */
export type Usage = { readonly rss: number; readonly heap: number; readonly cpu: number; readonly sockets: number }

process.on('message', (asked) => {
  if (asked === 'stop') {
    void gateway.close().then(() => process.exit(0))
    return
  }
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  const { rss, heapUsed: heap } = process.memoryUsage()
  gateway.app.server.getConnections((_error, sockets) => {
    process.send?.({ rss, heap, cpu: user + system, sockets } satisfies Usage)
  })
})
process.send?.({ url: gateway.url, secrets: { anonKey: secrets.anonKey, jwtSecret: secrets.jwtSecret } })
