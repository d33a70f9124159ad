import { parseConfig } from '@ovation/server/config'
import { startGateway } from '@ovation/server/gateway'
import { loadSecrets } from '@ovation/server/secrets'
import { pino } from 'pino'

/** The gateway in a process of its own, so that its memory and its time on the processor are its own. */
const config = parseConfig(process.env)
const secrets = await loadSecrets(config)
const [, , requestUrl = '', ownerUrl = ''] = process.argv
const log = pino({ level: 'error' })
const gateway = await startGateway({ config, secrets, log, requestUrl, ownerUrl, isOurs: true, sandboxUrl: undefined })

/** Bytes that the process holds, and microseconds it has worked for. */
export type Usage = { readonly rss: number; readonly cpu: number }

process.on('message', (asked) => {
  if (asked === 'stop') {
    void gateway.close().then(() => process.exit(0))
    return
  }
  const { user, system } = process.cpuUsage()
  process.send?.({ rss: process.memoryUsage.rss(), cpu: user + system } satisfies Usage)
})
process.send?.({ url: gateway.url, secrets: { anonKey: secrets.anonKey, jwtSecret: secrets.jwtSecret } })
