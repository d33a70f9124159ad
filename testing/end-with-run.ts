import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/**
 * Ends what this process starts, and what those processes start, when it dies in whatever way: a test run that is killed has no time
 * to stop its databases and browsers. Descendants are known by an environment variable that they inherit, so that this needs Linux.
 */
export function endDescendantsWithThisProcess(): void {
  if (process.env.TEST_RUN_ID !== undefined || process.platform !== 'linux') return
  process.env.TEST_RUN_ID = randomUUID()
  // Its own process group: Ctrl-C must not end it before the others. Its standard input closes with this process.
  const watcher = spawn(process.execPath, [fileURLToPath(new URL('end-descendants.ts', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  watcher.unref()
}
