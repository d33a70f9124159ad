import type { Change } from './change.ts'
import { type LogPosition, positionOf } from './log-connection.ts'

/** How far the log had been read, on which timeline: the next reader goes on there. */
export type ReadUpTo = LogPosition & { readonly timeline: string }

export type SharedLogContent =
  | { readonly kind: 'changes'; readonly changes: readonly Change[] }
  /** A table appears for the first time, or its columns have changed. */
  | { readonly kind: 'table' }
  /** A reader has begun. `isGap`: changes before may be missing. */
  | { readonly kind: 'begin'; readonly isGap: boolean }
  | { readonly kind: 'alive' }
  /** The reader stops, so another one is needed. `isGap`: changes until then will be missing. */
  | { readonly kind: 'end'; readonly isGap: boolean }

/**
 * What the reader of the log hands to all processes. `number`: it follows the entry with the number before, so that a process notices when it
 * missed one. One that only shows life has the number of the entry before it.
 */
export type SharedLogEntry = SharedLogContent & Progress
export type Progress = { readonly number: number; readonly upTo: ReadUpTo }

export const encodeEntry = (entry: SharedLogEntry) => Buffer.from(JSON.stringify(entry))

export function decodeEntry(bytes: Buffer): SharedLogEntry {
  const entry = JSON.parse(bytes.toString()) as SharedLogEntry
  if (entry.kind !== 'changes') return entry
  const changes = entry.changes.map((change) => ({ ...change, committedAt: new Date(change.committedAt) }))
  return { ...entry, changes }
}

/** Whether a change at this position was already handed over. Transactions are read in the order of their commits. */
export function isHandedOver({ lsn, index }: LogPosition, upTo: ReadUpTo): boolean {
  const [one, other] = [positionOf(lsn), positionOf(upTo.lsn)]
  return one < other || (one === other && index <= upTo.index)
}
