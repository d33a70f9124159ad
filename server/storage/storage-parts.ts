import type { Database } from '../postgres/database.ts'
import type { LinkTokens } from './link-tokens.ts'
import type { ObjectStore } from './object-store.ts'

/** What the routes of storage/v1 share. */
export type StorageParts = {
  readonly database: Database
  readonly store: ObjectStore
  readonly links: LinkTokens
  /** Folder for pictures that are looked at before they are kept. */
  readonly scratch: string
}
