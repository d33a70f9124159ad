import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BirpcReturn, createBirpc } from 'birpc'
import type { FastifyBaseLogger } from 'fastify'
import type { Exchange, Stream } from './exchange/exchange.ts'
import type { First } from './exchange/worker-exchange.ts'
import type { GatewayOptions } from './gateway.ts'
import type { ProcessMetrics } from './processes.ts'

/** What a worker serves and where, as opened by the first process. It holds secrets, so it is sent over the channel. */
export type WorkerOrder = Omit<
  GatewayOptions,
  'config' | 'log' | 'readiness' | 'processes' | 'exchange' | 'telemetry'
> & {
  readonly port: number
}

/** What the first process of a node does for its workers (`WORKERS`). */
export type FirstProcess = {
  serves(): void
  failed(reason: string): void
  /** The figures of every process but the caller. */
  otherFigures(): Promise<ProcessMetrics[]>
  spend: Exchange['spend']
  remember: Exchange['remember']
  recall: Exchange['recall']
  publish: Exchange['publish']
  takeOver(stream: string, ...order: Parameters<Stream['takeOver']>): ReturnType<Stream['takeOver']>
  append(stream: string, ...order: Parameters<Stream['append']>): ReturnType<Stream['append']>
  last(stream: string): ReturnType<Stream['last']>
}

/** What a worker does for the first process. */
export type WorkerProcess = {
  serve(order: WorkerOrder): void
  /** The node is stopping: the worker isn't ready any more. */
  announceStop(): void
  ownFigures(): Promise<ProcessMetrics>
  /** A message of any process. */
  deliver(channel: string, message: Buffer): void
}

/** How long processes wait for each other. Figures of a slower one are left out, and limits are counted without it. */
export const answersWithinMs = 2_000

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
  /** Passes a message of a process on to all workers. */
  deliver(channel: string, message: Buffer): void
  stop(): Promise<void>
}

type WorkersOptions = {
  readonly count: number
  readonly order: WorkerOrder
  readonly log: FastifyBaseLogger
  /** How long open requests may take during a shutdown. */
  readonly graceMs: number
  /** The figures of this process, which workers request too. */
  readonly own: () => Promise<ProcessMetrics>
  readonly exchange: First
}

/**
 * Starts `count` more processes on the port of this one; the kernel distributes connections among all (`SO_REUSEPORT`). Those that die
 * are replaced.
 * @throws an Error with one sentence if one can't start.
 */
export async function startWorkers({ count, order, log, graceMs, own, exchange }: WorkersOptions): Promise<Workers> {
  const running = new Map<ChildProcess, BirpcReturn<WorkerProcess>>()
  const gather = async (but?: ChildProcess): Promise<ProcessMetrics[]> => {
    const others = [...running].filter(([child]) => child !== but)
    const figures = await Promise.all(others.map(([, worker]) => worker.ownFigures().catch(() => undefined)))
    return figures.filter((one) => one !== undefined)
  }
  let stopping = false

  async function keepOne(): Promise<void> {
    const child = fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'], serialization: 'advanced' })
    const { promise: serves, resolve, reject } = Promise.withResolvers<void>()
    const worker = createBirpc<WorkerProcess, FirstProcess>(
      {
        serves: resolve,
        failed: (reason) => reject(new Error(reason)),
        otherFigures: async () => [await own(), ...(await gather(child))],
        spend: (limit, key, uses) => exchange.spend(limit, key, uses),
        remember: (key, forMs) => exchange.remember(key, forMs),
        recall: (key, forMs) => exchange.recall(key, forMs),
        publish: (channel, message) => exchange.publish(channel, message),
        takeOver: (stream, writer) => exchange.keep(stream).takeOver(writer),
        append: (stream, writer, entries) => exchange.keep(stream).append(writer, entries),
        last: (stream) => exchange.keep(stream).last(),
      },
      {
        post: (message) => void (child.connected && child.send(message)),
        on: (listener) => void child.on('message', listener),
        timeout: answersWithinMs,
      },
    )
    // From its first moment: a shutdown that begins before it serves ends it too.
    running.set(child, worker)
    child.once('exit', (code) => {
      running.delete(child)
      worker.$close()
      reject(new Error(`a worker exited during its start with code ${code}`))
    })
    await worker.serve.asEvent(order)
    await serves
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
    await Promise.all([...running.keys()].map((child) => stopWorker(child, graceMs + stopWithinMs)))
  }

  try {
    await Promise.all(Array.from({ length: count }, keepOne))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    announceStop() {
      for (const worker of running.values()) void worker.announceStop.asEvent()
    },
    gather: () => gather(),
    deliver(channel, message) {
      for (const worker of running.values()) void worker.deliver.asEvent(channel, message)
    },
    stop,
  }
}

async function stopWorker(child: ChildProcess, withinMs: number): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done))
  if (child.connected) child.disconnect()
  const inTime = await Promise.race([ended.then(() => true), sleep(withinMs, false, { ref: false })])
  if (inTime) return
  child.kill('SIGKILL')
  await ended
}
