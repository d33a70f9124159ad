import { everyPersona, type Persona, roleOf } from './personas.ts'

/**
 * The outcome of a probe, in one word:
 * - `yes`: the one row was read, written, or deleted; or the call was answered
 * - `nothing`: no error, and no row: the policy left it out
 * - `refused`: SQLSTATE 42501, by a grant, a policy, or a trigger
 * - `closed`: 42501 because the schema or the function is out of reach
 * - `unchanged`: an update that returned a row and changed none
 * - any other SQLSTATE, with its constraint if there is one: `23505 follows_once`
 * - where the matrix says what a row looks like (`shape`) or what a call answers: that text
 */
export type Outcome = string

/** The personas with access, everyone else gets `rest`; or, with more outcomes, the personas by outcome. */
export type Who =
  | readonly Persona[]
  | ({ readonly rest?: Outcome } & { readonly [outcome: Outcome]: readonly Persona[] | Outcome | undefined })

/** Tables and views that clients may name, each with every persona's outcome at every row. A missing verb is granted to nobody. */
export type Relation = {
  /** SQL, run as the owner, that names every row: columns `key` and `name`. Rows of the same name are alike. */
  readonly named: string
  /** How a client addresses one row. Default `id`. */
  readonly key?: string
  /** SQL for the value of a read row. Default: it exists, `yes`. */
  readonly shape?: string
  /** Permissions of the role anon: verbs, each with its columns unless it has all. */
  readonly anon: string
  /** Permissions of the role authenticated, in the same form. */
  readonly authenticated: string
  /** Verbs that not even service_role has. */
  readonly serviceLacks?: readonly Verb[]
  readonly select: Readonly<Record<string, Who>>
  readonly insert?: Readonly<Record<string, { readonly sql: string; readonly who: Who }>>
  /** Each group of columns that is changed together. */
  readonly update?: Readonly<Record<string, Update>>
  readonly delete?: Readonly<Record<string, Who>>
  /** Where a delete of all rows at once has another outcome than the number of rows with outcome `yes`. */
  readonly deleteAll?: Readonly<Partial<Record<Persona, Outcome>>>
}
export type Update = {
  /** The assignment in SQL. */
  readonly set: string
  readonly rows: Readonly<Record<string, Who>>
  /** A table, and a condition on the row after the change. An update that succeeds and changes nothing is `unchanged`. */
  readonly proof?: string
  /** False where not all rows can be changed at once. */
  readonly blind?: false
}
export type Verb = 'select' | 'insert' | 'update' | 'delete'

/** Used in a `from`: after it, a connected app calls on behalf of the persona. */
export const asApp = `(select set_config('request.jwt.claims',
  (coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb || '{"client_id": "an app"}')::text, true) offset 0) app`

/** Functions that clients may name: calls, with the outcome for each persona. */
export type Callable = {
  readonly anon: boolean
  readonly authenticated: boolean
  readonly calls: Readonly<Record<string, { readonly sql: string; readonly who: Who }>>
}

/**
 * The outcome for this persona, with `rest` for the unnamed. The service gets `yes` unless it is named, and the suspended user gets the
 * ghost's outcome: to the database, neither is a user.
 */
export function outcomeFor(who: Who, persona: Persona, rest: Outcome): Outcome {
  if (persona === 'suspended' && !isNamed(who, persona)) return outcomeFor(who, 'ghost', rest)
  if (isList(who)) return who.includes(persona) || persona === 'service' ? 'yes' : rest
  for (const [outcome, named] of Object.entries(who)) {
    if (outcome !== 'rest' && isList(named) && named.includes(persona)) return outcome
  }
  return persona === 'service' && !('rest' in who) ? 'yes' : (who.rest ?? rest)
}

function isNamed(who: Who, persona: Persona): boolean {
  return isList(who)
    ? who.includes(persona)
    : Object.values(who).some((named) => isList(named) && named.includes(persona))
}

function isList(value: Who | Outcome | undefined): value is readonly Persona[] {
  return Array.isArray(value)
}

/** Whether the persona's role has the verb at all, for the table or some of its columns. */
export function isGranted(relation: Relation, persona: Persona, verb: Verb): boolean {
  const role = roleOf(persona)
  if (role === 'service_role') return !relation.serviceLacks?.includes(verb)
  return permissionsOf(relation[role]).has(verb)
}

/** `select insert(a,b)` as a map from verb to columns; null means all of them. */
export function permissionsOf(rights: string): Map<string, readonly string[] | null> {
  return new Map(
    [...rights.matchAll(/(\w+)(?:\(([^)]*)\))?/g)].map(([, verb, columns]) => [
      String(verb),
      columns?.split(',') ?? null,
    ]),
  )
}

/** Everyone, with the suspended user like the ghost. */
export const everyone = everyPersona.filter((each) => each !== 'suspended')
/** Everyone but those named. */
export const everyoneBut = (...without: Persona[]): readonly Persona[] =>
  everyone.filter((each) => !without.includes(each))
export const signedIn = everyoneBut('visitor', 'service')
/** Signed in, with an existing account that isn't suspended. */
export const people = everyoneBut('visitor', 'ghost', 'service')
