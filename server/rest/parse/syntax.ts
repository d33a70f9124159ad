/**
 * The syntax tree of a request. It holds names, operators, and shapes, but no values: values are in `Values`, and the tree
 * refers to them. So two requests that differ only in values have the same tree, the same SQL text, and the same prepared statement.
 */

/** Position of a value in the request's list of values. */
export type ValueRef = number

/** One `->` or `->>` of a JSON path. `name` is undefined for an index. */
export type JsonStep = {
  readonly arrow: '->' | '->>'
  readonly name: string | undefined
  readonly key: ValueRef
}

export type Field = { readonly name: string; readonly path: readonly JsonStep[] }

export const aggregates = ['sum', 'avg', 'count', 'max', 'min'] as const
export type Aggregate = (typeof aggregates)[number]

export type SelectColumn = {
  readonly kind: 'column'
  /** `*` stands for all columns. */
  readonly field: Field
  readonly alias: string | undefined
  readonly cast: string | undefined
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
}

export type SelectEmbed = {
  readonly kind: 'embed'
  readonly name: string
  readonly alias: string | undefined
  readonly hint: string | undefined
  readonly join: 'inner' | 'left' | undefined
  /** `...name(columns)`: its columns appear beside the parent's. */
  readonly spread: boolean
  readonly items: readonly SelectItem[]
}

export type SelectItem = SelectColumn | SelectEmbed

export type Quantifier = 'any' | 'all'
export type IsOperand = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

export type Expression =
  | { readonly kind: 'compare'; readonly operator: string; readonly quantifier?: Quantifier; readonly value: ValueRef }
  | { readonly kind: 'in'; readonly value: ValueRef }
  | { readonly kind: 'is'; readonly operand: IsOperand }
  | { readonly kind: 'distinct'; readonly value: ValueRef }
  | { readonly kind: 'fts'; readonly query: string; readonly language?: ValueRef; readonly value: ValueRef }

export type Filter = { readonly field: Field; readonly negated: boolean; readonly expression: Expression }

export type LogicTree =
  | { readonly kind: 'filter'; readonly filter: Filter }
  | {
      readonly kind: 'group'
      readonly negated: boolean
      readonly operator: 'and' | 'or'
      readonly members: readonly LogicTree[]
    }

export type OrderTerm = {
  /** Set for `relation(field)`: the order of an embedded to-one row. */
  readonly relation: string | undefined
  readonly field: Field
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

/** Rows from `offset` on, at most `limit`. */
export type Range = { readonly offset: number; readonly limit: number | undefined }

/** What applies to one level of the tree: the root has the empty path. */
export type AtPath<Part> = { readonly path: readonly string[]; readonly part: Part }

export type PlacedFilter = AtPath<Filter> & {
  /** The whole text, operator included: the function may have a parameter of that name and no such column. */
  readonly argument?: ValueRef
}

export type QuerySyntax = {
  readonly select: readonly SelectItem[]
  readonly filters: readonly PlacedFilter[]
  readonly logic: readonly AtPath<LogicTree>[]
  readonly orders: readonly AtPath<readonly OrderTerm[]>[]
  readonly ranges: readonly AtPath<Range>[]
  readonly columns: readonly string[] | undefined
  readonly onConflict: readonly string[] | undefined
  /** Arguments of a function called by GET, in their order. */
  readonly args: readonly { readonly name: string; readonly value: ValueRef }[]
}
