import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Usage } from './server.ts'

export type Started = { url: string; secrets: { anonKey: string; jwtSecret: string } }
export type BenchServer = Started & { usage(): Promise<Usage>; stop(): Promise<void> }

/** Starts server.ts, and resolves when it listens. */
export async function startServer(
  env: Record<string, string>,
  urls: readonly string[],
  { collectsGarbage = false }: { readonly collectsGarbage?: boolean },
): Promise<BenchServer> {
  const file = fileURLToPath(new URL('server.ts', import.meta.url))
  const child: ChildProcess = fork(file, [...urls], {
    env: { ...process.env, ...env },
    execArgv: [...process.execArgv, ...(collectsGarbage ? ['--expose-gc'] : [])],
  })
  const ended = once(child, 'exit')
  /** What it says next. @throws Error when it has ended instead. */
  const said = <Answer>(): Promise<Answer> =>
    Promise.race([
      once(child, 'message').then(([answer]) => answer as Answer),
      ended.then(() => Promise.reject(new Error('The gateway has ended'))),
    ])
  const started = await said<Started>()
  return {
    ...started,
    usage() {
      const answer = said<Usage>()
      if (child.connected) child.send('usage')
      return answer
    },
    async stop() {
      if (child.connected) child.send('stop')
      await ended
    },
  }
}
