/** The lookup key of a binding: rows that match its filter have one of these values in this column. */
export type FilterKey = { readonly column: string; readonly keys: readonly string[]; readonly type: string }
