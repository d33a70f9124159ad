import type { ChangeEvent } from './join-config.ts'
import type { LoggedRow } from './row-filter.ts'

/** One committed change of one row. */
export type Change = {
  readonly type: Exclude<ChangeEvent, '*'>
  readonly schema: string
  readonly table: string
  /** The row after the change; for a deletion, before it. */
  readonly row: LoggedRow
  /** The row before the change, as far as its table's replica identity includes it. */
  readonly old: LoggedRow | undefined
  readonly committedAt: Date
  /** The transaction that made it. */
  readonly xid: number
}

/** What a source of changes does with them. */
export type ChangeHandlers = {
  /** Awaited before the next change is read, so a slow receiver pauses the source instead of filling the memory. */
  onChange(change: Change): Promise<void>
  /** A table appears for the first time, or its columns have changed. */
  onTable(): void
  /** Changes may have been missed. */
  onLost(): void
}

/** Whether changes and broadcasts of the database are read; if not, the reason, once an attempt has failed. */
export type ReaderState = { readonly isReading: boolean; readonly failure: string | undefined }

/** Where a process gets the changes of the database. */
export type ChangeSource = {
  start(): void
  readonly state: ReaderState
  /** Resolves once every later change will be seen: true, or false after a timeout. Starts the source. */
  isLive(waitMs: number): Promise<boolean>
  stop(): Promise<void>
}
