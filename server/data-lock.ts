import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Holds `DATA_DIR` for one process. The lock is SQLite's lock on a file, which the operating system drops with the process,
 * however it ends; a file that merely exists would outlive `kill -9`.
 * @throws an Error with one sentence when another process holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true })
  const owner = join(dataDir, 'lock.pid')
  const lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another Ovation${describe(owner)}: stop it, or set another DATA_DIR and PORT.`,
    )
  }
  writeFileSync(owner, `${process.pid}\n`)
  return { release: () => lock.close() }
}

function describe(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`
  } catch {
    return ''
  }
}
