import { Session } from 'node:inspector/promises'

/** The part of the time that the event loop is at work. At least so much of it fills the heap. */
const busyUtilization = 0.25
/** At most so much of it is quiet: timers and jobs alone take 0.02. */
const quietUtilization = 0.05
/** Quiet looks in a row before the heap is collected. */
const quietLooks = 2

/**
 * Gives memory back once the process is quiet after it was busy: after its start, the demo, or a peak. V8 collects garbage while a program
 * allocates; what has nothing to do would keep twice what it needs for hours. The collection takes 0.2 s, in which requests wait, so light
 * traffic never causes one.
 * @param others what else holds memory of the busy time; it must not reject.
 * @returns a function that stops looking. The end of the process needs none.
 */
export function giveBackMemoryWhenQuiet(others?: () => void, lookEveryMs = 5_000): () => void {
  let before = performance.eventLoopUtilization()
  let quiet = 0
  let wasBusy = true // with the start
  const looking = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    wasBusy ||= utilization >= busyUtilization
    quiet = utilization <= quietUtilization ? quiet + 1 : 0
    if (!wasBusy || quiet < quietLooks) return
    wasBusy = false
    others?.()
    void collectGarbage()
  }, lookEveryMs).unref()
  return () => clearInterval(looking)
}

/** As if the system were short of memory. Node has it for debuggers, which want to see the heap as it really is. */
async function collectGarbage() {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
