import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './environment-reader.ts'

/**
 * Locks `DATA_DIR` for one process. The lock is SQLite's file lock, which the operating system releases with the process, however it
 * ends. A plain lock file would survive `kill -9`.
 * @throws an Error with one sentence when another process holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  makeDataDir(dataDir)
  const owner = join(dataDir, 'lock.pid')
  // SQLite gives the lock file's companions the same mode. Anyone who can open the file could hold the lock.
  closeSync(openSync(join(dataDir, 'lock'), 'a', 0o600))
  const lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another Ovation${describe(owner)}: stop it, or set another DATA_DIR and PORT.`,
    )
  }
  writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 })
  closeToOthers(dataDir)
  return { release: () => lock.close() }
}

/**
 * Only the user who runs the product may enter it: it holds every secret. If that is root, PostgreSQL's own user has to pass through.
 * @throws ConfigError naming DATA_DIR if it can't be created or written to.
 */
function makeDataDir(dataDir: string) {
  try {
    const missing: string[] = []
    for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path)
    // One at a time: Node's recursive mkdir never ends below /proc.
    for (const path of missing) mkdirSync(path, { mode: path === resolve(dataDir) ? folderMode() : 0o711 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `DATA_DIR ${dataDir} can't be written to (${code}): give it to the user who runs Ovation, or set another DATA_DIR.`,
    )
  }
}

const folderMode = () => (process.getuid?.() === 0 ? 0o711 : 0o700)

/** Each start removes permissions that an earlier version, or the operator, left open to other users of the machine. */
function closeToOthers(dataDir: string) {
  const wanted = [
    ['.', folderMode()],
    ...['storage', 'outbox'].map((folder) => [folder, 0o700] as const),
    ...privateFiles.map((file) => [file, 0o600] as const),
  ] as const
  for (const [name, mode] of wanted) {
    const path = join(dataDir, name)
    if (existsSync(path)) closePath(path, mode)
  }
}

const privateFiles = [
  'lock',
  'lock-journal',
  'lock.pid',
  'sandbox.sqlite',
  'sandbox.sqlite-shm',
  'sandbox.sqlite-wal',
  'secrets.json',
]

function closePath(path: string, mode: number) {
  try {
    chmodSync(path, mode)
  } catch (error) {
    // The volume belongs to another user or has no file modes; the doctor reports that to the operator.
    if (!['EPERM', 'ENOTSUP', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function describe(owner: string): string {
  try {
    return ` (process ${readFileSync(owner, 'utf8').trim()})`
  } catch {
    return ''
  }
}
