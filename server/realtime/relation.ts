export type Column = { readonly name: string; readonly type: string }

/** A table as one role reaches it. */
export type Relation = {
  readonly schema: string
  readonly table: string
  /** Columns that the role may read, in order. */
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Types of the key's columns, as they stand in SQL. */
  readonly keyTypes: readonly string[]
  /** Columns that show what the table holds, to everybody who sees the row: all of a table's, some of a view's. */
  readonly plainColumns: readonly string[]
  /** Columns of the table the log tells of, readable or not; generated ones are not told. They never leave the server. */
  readonly allColumns: readonly Column[]
  /** Whether rows are hidden from the role, by policies that do not let all of them through or by a view before the table. */
  readonly isGuarded: boolean
}
