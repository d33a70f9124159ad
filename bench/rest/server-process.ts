import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type ServerOptions = {
  /** Connection string of the database's owner: roles are taken on for each request. */
  readonly ownerUrl: string
  readonly jwtSecret: string
  /** What is exposed. */
  readonly schemas: readonly string[]
  /** How many of its connections serve requests; of the gateway and of bare HTTP. The others keep to their own default. */
  readonly databaseConnections: number
  /** A directory of its own. */
  readonly dataDir: string
}

export type StartServer = (options: ServerOptions) => Promise<{ readonly url: string }>

export type Usage = { readonly residentMb: number; readonly processorMicros: number }

export type ServerProcess = {
  readonly url: string
  /** What the process holds now, and how long it has been at work since it started. */
  usage(): Promise<Usage>
  stop(): Promise<void>
}

export const serverNames = ['gateway', 'lite', 'postgraphile', 'bare'] as const
export type ServerName = (typeof serverNames)[number]

/** Starts a contender in a process of its own, as it would run in production. */
export function startServer(
  name: ServerName,
  options: ServerOptions,
  execArgv: readonly string[] = [],
): Promise<ServerProcess> {
  const child = fork(fileURLToPath(import.meta.url), [name, JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const nextMessage = () => new Promise<Record<string, unknown>>((resolve) => child.once('message', resolve as never))
  return new Promise((resolve, reject) => {
    void exited.then(() => reject(new Error(`${name} did not start`)))
    void nextMessage().then(({ url }) =>
      resolve({
        url: String(url),
        async usage() {
          const answer = nextMessage()
          child.send('usage')
          return (await answer) as Usage
        },
        async stop() {
          child.send('stop')
          await exited
        },
      }),
    )
  })
}

/** This file is also what the child runs. */
if (process.argv[1] === fileURLToPath(import.meta.url) && process.send) {
  const [name = '', options = '{}'] = process.argv.slice(2)
  const { startServer: start } = (await import(`./servers/${name}.ts`)) as { startServer: StartServer }
  process.on('message', (message) => {
    if (message === 'stop') process.exit(0)
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    process.send?.({
      residentMb: process.memoryUsage.rss() / 1024 ** 2,
      processorMicros: user + system,
    } satisfies Usage)
  })
  process.on('disconnect', () => process.exit(0))
  process.send(await start(JSON.parse(options) as ServerOptions))
}
