/** By what a binding is found: rows that can meet its filter have one of these values in this column. */
export type LookUp = { readonly column: string; readonly keys: readonly string[]; readonly type: string }
