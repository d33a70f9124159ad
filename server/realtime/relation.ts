export type Column = { readonly name: string; readonly type: string }

/** A table as one role sees it. */
export type Relation = {
  readonly schema: string
  readonly table: string
  /** Columns that the role may read, in order. */
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** SQL types of the key's columns. */
  readonly keyTypes: readonly string[]
  /** Columns that show the table's values to everyone who sees the row: all of a table's, some of a view's. */
  readonly plainColumns: readonly string[]
  /** Columns of the table in the log, readable or not; generated ones are missing. They never leave the server. */
  readonly allColumns: readonly Column[]
  /** Whether some rows are hidden from the role, by policies or by a view in front of the table. */
  readonly isGuarded: boolean
}
