import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until its standard input closes, then ends every process of its test run (`end-with-run.ts`). */
const marker = `TEST_RUN_ID=${process.env.TEST_RUN_ID}`

/** The processes of the run, without this one. */
function findDescendants(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && environmentOf(pid).includes(marker))
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // ended, or another user's
  }
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

process.stdin.resume()
process.stdin.once('end', async () => {
  // SIGINT is PostgreSQL's fast shutdown, and everything else ends by it too.
  for (const pid of findDescendants()) signal(pid, 'SIGINT')
  for (const deadline = Date.now() + 5_000; findDescendants().length > 0 && Date.now() < deadline; ) await sleep(100)
  for (const pid of findDescendants()) signal(pid, 'SIGKILL')
})
