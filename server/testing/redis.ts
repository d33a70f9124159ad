import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { findRedis } from './find-program.ts'
import { freePort } from './free-port.ts'

export type TestRedis = {
  readonly url: string
  /** Ends the server, like an outage. */
  stop(): Promise<void>
  /** Restarts it at the same address, empty. */
  start(): Promise<void>
}

/** A real Redis on a free port of this machine, without persistence. `password`: required from every client. */
export async function startRedis({ password }: { readonly password?: string } = {}): Promise<TestRedis> {
  const port = await freePort()
  const url = `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  if (password) options.push('--requirepass', password)
  let server: ChildProcess | undefined
  const redis: TestRedis = {
    url,
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    async start() {
      server = spawn(findRedis(), options, { stdio: 'ignore' })
      const probe = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 250 })
      probe.on('error', () => undefined) // until it listens
      await probe.ping()
      probe.disconnect()
    },
  }
  await redis.start()
  return redis
}
