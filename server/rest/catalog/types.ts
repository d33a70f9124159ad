/** The parts of the database that rest/v1 needs: the exposed schemas and their relationships. */
export type Catalog = {
  readonly schemas: readonly string[]
  /** By `keyOf(schema, name)`. */
  readonly relations: ReadonlyMap<string, Relation>
  /** Keyed by `keyOf` of the source relation. */
  readonly relationships: ReadonlyMap<string, readonly Relationship[]>
  /** Overloads, keyed by `keyOf`. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>
  /** `st_asgeojson(record)`: there where PostGIS is. */
  readonly geoJson: Name | undefined
  /** `statement_timeout` by role, for roles with their own: `alter role anon set statement_timeout = '3s'`. */
  readonly roleTimeouts: ReadonlyMap<string, string>
}

export type Name = { readonly schema: string; readonly name: string }

/** A PostgreSQL name can't contain NUL, so two names never share a key. */
export const keyOf = (schema: string, name: string) => `${schema}\u0000${name}`

export type Relation = Name & {
  readonly kind: 'table' | 'view'
  readonly columns: ReadonlyMap<string, Column>
  /** For a view: the columns that show its base table's key. */
  readonly primaryKey: readonly string[]
  readonly insertable: boolean
  readonly updatable: boolean
  readonly deletable: boolean
  readonly description: string | null
}

export type Column = {
  readonly name: string
  /** As PostgreSQL writes it, qualified unless built in, e.g. `uuid`, `numeric(12,2)`, `extensions.citext`. */
  readonly type: string
  readonly nullable: boolean
  /** An SQL expression; null when there is none or the value is always generated. */
  readonly default: string | null
  readonly enumeration: readonly string[] | null
  readonly description: string | null
}

/** A foreign key from the side of `source`: pairs of its columns and those of `target`. */
export type Relationship = {
  readonly source: Name
  readonly target: Name
  readonly targetIsView: boolean
  readonly isSelf: boolean
} & (
  | {
      readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one'
      readonly constraint: string
      /** Of source and target. */
      readonly columns: readonly (readonly [string, string])[]
    }
  | { readonly cardinality: 'many-to-many'; readonly junction: Junction }
  | { readonly cardinality: 'computed'; readonly function: Name; readonly toOne: boolean }
)

export type Junction = Name & {
  readonly sourceConstraint: string
  readonly targetConstraint: string
  /** Of source and junction. */
  readonly sourceColumns: readonly (readonly [string, string])[]
  /** Of target and junction. */
  readonly targetColumns: readonly (readonly [string, string])[]
}

export type Routine = Name & {
  readonly parameters: readonly Parameter[]
  readonly volatility: 'volatile' | 'stable' | 'immutable'
  readonly returns: {
    /** `void` gives no content; `composite` rows with columns; `scalar` bare values. */
    readonly kind: 'void' | 'scalar' | 'composite'
    readonly setOf: boolean
    readonly type: string
    /** The relation whose rows it returns, if any: its relationships can be embedded. */
    readonly relation: Name | undefined
    /** The names of `returns table (…)` and of OUT parameters. */
    readonly columns: readonly string[]
  }
  readonly description: string | null
}

export type Parameter = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly variadic: boolean
}
