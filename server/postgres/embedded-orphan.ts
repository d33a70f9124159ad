import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Stops a server that outlived the process that started it (`kill -9`). The caller holds the lock of the data directory, so
 * nobody else is using it. A stale file is removed if its process has ended, or is another program now.
 */
export async function stopOrphan(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!Number.isInteger(pid) || pid <= 1 || !isPostgres(pid)) return rmSync(file, { force: true })
  for (const [signal, waitMs] of [
    ['SIGINT', 5_000], // fast shutdown: a clean stop
    ['SIGQUIT', 5_000], // immediate: recovered from the log at the next start
    ['SIGKILL', 1_000],
  ] as const) {
    if (!signalled(pid, signal)) return
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; await sleep(25)) if (!isPostgres(pid)) return
  }
  throw new Error(`A PostgreSQL server (process ${pid}) still uses ${directory} and could not be stopped.`)
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false // ended in the meantime
  }
}

/** Process ids are reused: Linux checks the name, other systems assume that a living process is the server. */
function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const name = `/proc/${pid}/comm`
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(name, 'utf8').trim() === 'postgres'
  } catch {
    return false
  }
}
