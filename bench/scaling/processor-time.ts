import { readdirSync, readFileSync } from 'node:fs'

/** Of Linux on all processors that we know. */
const ticksPerSecond = 100

/** The processor time of these processes and their descendants, in seconds, with that of children that have ended. Linux only. */
export function processorTime(roots: readonly number[]): number {
  const children = new Map<number, number[]>()
  const spent = new Map<number, number>()
  for (const pid of readdirSync('/proc').map(Number)) {
    const fields = readStat(pid)
    if (!fields) continue
    const [parent = 0, ...times] = [1, 11, 12, 13, 14].map((index) => Number(fields[index]))
    spent.set(pid, times.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond)
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const sum = (pid: number): number =>
    (spent.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  return roots.reduce((total, pid) => total + sum(pid), 0)
}

/** What follows the name, which may contain spaces. Undefined: there is no such process. */
function readStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
