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
  const said = async <Answer>() => (await once(child, 'message'))[0] as Answer
  const started = await Promise.race([
    said<Started>(),
    once(child, 'exit').then(() => fail('The gateway did not start')),
  ])
  return {
    ...started,
    usage() {
      const answer = said<Usage>()
      child.send('usage')
      return answer
    },
    async stop() {
      const ended = once(child, 'exit')
      child.send('stop')
      await ended
    },
  }
}

function fail(message: string): never {
  throw new Error(message)
}
