import type { Name, Parameter } from '../catalog/types.ts'
import type { Preferences } from '../parse/preferences.ts'
import type { Action } from '../parse/request.ts'
import type { Aggregate, Expression, JsonStep, Range, ValueRef } from '../parse/syntax.ts'
import type { MediaType } from './media-type.ts'

/** The request with every name resolved in the catalog: `compile` turns it into SQL without further lookups. */
export type RequestPlan = {
  readonly action: Action
  readonly method: string
  readonly relation: Name
  readonly schemaNamed: boolean
  readonly media: MediaType
  readonly preferences: Preferences
  readonly read: ReadPlan
  readonly mutation: MutationPlan | undefined
  readonly call: CallPlan | undefined
  /** For the outermost rows, without the installation's own limit: the basis of `Content-Range`. */
  readonly range: Range
  readonly maxRows: number
  /** PostGIS's function that turns a row into a feature; undefined where it isn't installed. */
  readonly geoJson: Name | undefined
}

/** One level of the result: a select with its conditions, and the levels inside it. */
export type ReadPlan = {
  readonly from: ReadSource
  /** How its columns are addressed. Begins with the relation's name, because PostgreSQL's messages show it to users. */
  readonly alias: string
  readonly columns: readonly ColumnPlan[]
  /** The column names in the result, each once; undefined where only PostgreSQL knows them, or two parts of the result have the same name. */
  readonly names: readonly string[] | undefined
  readonly embeds: readonly EmbedPlan[]
  readonly where: readonly Condition[]
  readonly joins: readonly JoinCondition[]
  readonly junction: (Name & { readonly alias: string }) | undefined
  readonly order: readonly OrderPlan[]
  readonly range: Range
}

export type ReadSource =
  | { readonly kind: 'relation'; readonly relation: Name }
  /** The rows that the mutation or the function returned. */
  | { readonly kind: 'source' }
  | { readonly kind: 'computed'; readonly function: Name; readonly row: string; readonly rowType: Name }

/** `row` is the alias that the column belongs to. */
export type FieldPlan = {
  readonly row: string
  readonly column: string
  readonly path: readonly JsonStep[]
  /** The column isn't json: `to_jsonb` comes before the path. */
  readonly toJson: boolean
}

export type ColumnPlan = {
  readonly field: FieldPlan
  /** The name in the result; undefined leaves it to PostgreSQL. */
  readonly alias: string | undefined
  readonly cast: string | undefined
  readonly aggregate: Aggregate | undefined
  readonly aggregateCast: string | undefined
}

export type EmbedPlan = {
  readonly read: ReadPlan
  /** The name in the result. */
  readonly label: string
  /** Of the lateral join. */
  readonly alias: string
  readonly toOne: boolean
  readonly inner: boolean
  /** Set for a spread: the names that it adds to the parent's columns. */
  readonly spread: readonly string[] | undefined
  /** Joined for a condition only, `comments()`. */
  readonly hidden: boolean
}

export type Condition =
  | {
      readonly kind: 'filter'
      readonly negated: boolean
      readonly field: FieldPlan
      readonly vector: boolean
      readonly expression: Expression
    }
  | {
      readonly kind: 'embedded'
      readonly exists: boolean
      readonly embed: { readonly alias: string; readonly toOne: boolean }
    }
  | {
      readonly kind: 'group'
      readonly negated: boolean
      readonly operator: 'and' | 'or'
      readonly members: readonly Condition[]
    }

export type JoinCondition = { readonly left: readonly [string, string]; readonly right: readonly [string, string] }

export type OrderPlan = {
  readonly field: FieldPlan
  readonly direction: 'asc' | 'desc' | undefined
  readonly nulls: 'first' | 'last' | undefined
}

export type TypedColumn = { readonly name: string; readonly type: string; readonly default: string | null }

export type JsonBody = {
  readonly value: ValueRef
  readonly isObject: boolean
  readonly columns: readonly TypedColumn[]
  /** Missing keys take the column's default instead of null. */
  readonly defaults: boolean
}

export type MutationPlan = {
  readonly kind: 'insert' | 'put' | 'update' | 'delete'
  readonly relation: Name
  /** How conditions address the relation's columns. */
  readonly alias: string
  readonly body: JsonBody | undefined
  readonly where: readonly Condition[]
  readonly conflict: { readonly columns: readonly string[]; readonly merge: boolean } | undefined
  /** Columns that the answer needs; empty: none. `*` means all. */
  readonly returning: readonly string[]
  readonly primaryKey: readonly string[]
}

export type CallPlan = {
  readonly function: Name
  readonly returns: 'void' | 'scalar' | 'composite'
  readonly setOf: boolean
  /** A volatile function called by POST may write; every other call runs read-only. */
  readonly readOnly: boolean
  readonly arguments:
    | { readonly kind: 'none' }
    | { readonly kind: 'single'; readonly type: string; readonly value: ValueRef | undefined }
    | {
        readonly kind: 'values'
        readonly given: readonly { readonly parameter: Parameter; readonly values: readonly ValueRef[] }[]
      }
    | { readonly kind: 'json'; readonly body: JsonBody; readonly parameters: readonly Parameter[] }
  readonly returning: readonly string[]
}
