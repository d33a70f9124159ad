import { Piscina } from 'piscina'

/**
 * Threads for work that keeps a processor busy without a pause. Starting one takes longer than most of that work, so an idle one stays for a
 * while. They give way to the thread that serves requests.
 */
const threads = new Piscina({
  minThreads: 0,
  maxThreads: 2,
  idleTimeout: 10_000,
  niceIncrement: 10,
  recordTiming: false,
})

/**
 * Calls a module's default export in another thread. The task and the result are copied.
 * @param signal ends the thread.
 * @throws what the function throws, without its class; the signal's reason.
 */
export async function runInThread<Result>(module: URL, task: unknown, signal?: AbortSignal): Promise<Result> {
  try {
    return await threads.run(task, { filename: module.href, signal: signal ?? null })
  } catch (error) {
    throw signal?.aborted ? signal.reason : error
  }
}
