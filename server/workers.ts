import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { GatewayOptions } from './gateway.ts'
import { Line, type ProcessMetrics } from './processes.ts'

/** What a worker serves and where, as opened by the first process. It holds secrets, so it is sent over the channel. */
export type WorkerOrder = Omit<GatewayOptions, 'config' | 'log' | 'readiness' | 'processes'> & { readonly port: number }
export type WorkerReport = { readonly ready: true } | { readonly ready: false; readonly reason: string }

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))
/** The pause before a failed worker restarts. */
const restartAfterMs = 1_000
/** Added to the time that open requests have. */
const stopWithinMs = 4_000

export type Workers = {
  /** Marks the workers as not ready. */
  announceStop(): void
  /** The figures of each worker. */
  gather(): Promise<ProcessMetrics[]>
  stop(): Promise<void>
}

/**
 * Starts `count` more processes on the port of this one; the kernel distributes connections among all (`SO_REUSEPORT`). Those that die
 * are replaced.
 * @param graceMs how long open requests may take during a shutdown.
 * @param own the figures of this process, which workers request too.
 * @returns a function that ends them all, once they serve.
 * @throws an Error with one sentence if one can't start.
 */
export async function startWorkers(
  count: number,
  order: WorkerOrder,
  log: FastifyBaseLogger,
  graceMs: number,
  own: () => Promise<ProcessMetrics>,
): Promise<Workers> {
  const running = new Set<ChildProcess>()
  const lines = new Map<ChildProcess, Line>()
  const gather = async (but?: ChildProcess) => {
    const others = [...lines].filter(([child]) => child !== but && child.connected)
    return (await Promise.all(others.map(([, line]) => line.ask('own')))).flat()
  }
  let stopping = false

  async function keepOne(): Promise<void> {
    const child = fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'], serialization: 'advanced' })
    // From its first moment: a shutdown that begins before it serves ends it too.
    running.add(child)
    child.once('exit', () => {
      running.delete(child)
      lines.delete(child)
    })
    await serveWith(child, order)
    const channel = {
      send: (message: object) => void (child.connected && child.send(message)),
      on: (event: 'message', listener: (message: unknown) => void) => child.on(event, listener),
    }
    lines.set(child, new Line(channel, { others: async () => [await own(), ...(await gather(child))] }))
    child.once('exit', async (code, signal) => {
      if (stopping) return
      log.error({ code, signal }, 'a worker died and will be replaced')
      while (!stopping) {
        await sleep(restartAfterMs, undefined, { ref: false })
        if (stopping) return
        try {
          return await keepOne()
        } catch (err) {
          log.error({ err }, 'a worker could not be replaced')
        }
      }
    })
  }

  async function stop() {
    stopping = true
    await Promise.all([...running].map((child) => stopWorker(child, graceMs + stopWithinMs)))
  }

  try {
    await Promise.all(Array.from({ length: count }, keepOne))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    announceStop() {
      for (const child of running) if (child.connected) child.send('stopping')
    },
    gather: () => gather(),
    stop,
  }
}

/** Resolves once the worker serves. */
async function serveWith(child: ChildProcess, order: WorkerOrder): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.once('message', (report: WorkerReport) => (report.ready ? resolve() : reject(new Error(report.reason))))
  child.once('exit', (code) => reject(new Error(`a worker exited during its start with code ${code}`)))
  child.send(order)
  await promise
}

async function stopWorker(child: ChildProcess, withinMs: number): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  if (child.connected) child.disconnect()
  const inTime = await Promise.race([ended.then(() => true), sleep(withinMs, false, { ref: false })])
  if (inTime) return
  child.kill('SIGKILL')
  await ended
}
