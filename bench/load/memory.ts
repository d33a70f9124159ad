import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Megabytes of the product's processes, by what they are: what each holds for itself, without files and shared memory. */
export type Memory = Readonly<Record<string, number>>

/**
 * Memory of the product now. PostgreSQL's processes are put together by their kind, for single ones come and go.
 * @throws Error where there is no /proc: this is read on Linux.
 */
export function readMemory(pid: number, dataDir: string): Memory {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const sums: Record<string, number> = { server: ownMegabytes(pid) }
  for (const child of readdirSync('/proc').map(Number)) {
    if (!child || (child !== postmaster && parentOf(child) !== postmaster)) continue
    const name = child === postmaster ? 'postgres' : nameOf(child)
    sums[name] = (sums[name] ?? 0) + ownMegabytes(child)
  }
  return sums
}

/** A process may end while it is looked at. */
function read(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}

const ownMegabytes = (pid: number) => Number(/RssAnon:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0) / 1024
const parentOf = (pid: number) => Number(/PPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1])

/** `postgres: authenticator ovation 127.0.0.1(4711) idle`: PostgreSQL writes into its title what a process is. */
function nameOf(pid: number): string {
  const title = read(pid, 'cmdline')
    .replaceAll('\0', ' ')
    .replace(/^postgres: /, '')
  if (title.startsWith('authenticator ')) return 'connections of requests'
  if (/^\w+ \w+ (127\.0\.0\.1|\[local\])/.test(title)) return 'connections of the owner'
  return 'postgres'
}

/** Megabytes a minute by which a line through the values rises. @param values one each `everySeconds`. */
export function slopeOf(values: readonly number[], everySeconds: number): number {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const times = values.map((_, index) => (index * everySeconds) / 60)
  const [meanTime, meanValue] = [mean(times), mean(values)]
  const above = values.reduce((sum, value, index) => sum + ((times[index] ?? 0) - meanTime) * (value - meanValue), 0)
  return above / times.reduce((sum, time) => sum + (time - meanTime) ** 2, 0)
}
