import { everyPersona, type Persona, roleOf } from './personas.ts'

/**
 * What a probe met, in one word:
 * - `yes`: the one row was read, written, deleted; or the call was answered
 * - `nothing`: no error, and no row: the policy left it out
 * - `refused`: SQLSTATE 42501, by a grant, a policy or a trigger
 * - `closed`: 42501 because the schema or the function is out of reach
 * - `unchanged`: an update that was answered with a row and changed none
 * - any other SQLSTATE, with the constraint where there is one: `23505 follows_once`
 * - where the matrix says what a row looks like (`shape`) or what a call answers: that text
 */
export type Outcome = string

/** The personas that are let in, everybody else meeting `rest`; or, where there is more to tell, who meets what. */
export type Who =
  | readonly Persona[]
  | ({ readonly rest?: Outcome } & { readonly [outcome: Outcome]: readonly Persona[] | Outcome | undefined })

/** Tables and views that clients may name, each with what every persona meets at every row. A verb left out is granted to nobody. */
export type Relation = {
  /** SQL, run as the owner, that names every row: columns `key` and `name`. Rows of one name are alike. */
  readonly named: string
  /** How a client addresses one row. Default `id`. */
  readonly key?: string
  /** SQL of what a row that is read looks like. Default: it is there, `yes`. */
  readonly shape?: string
  /** Rights of the role anon: verbs, each with its columns where they are not all. */
  readonly anon: string
  /** Rights of the role authenticated, in the same form. */
  readonly authenticated: string
  /** Verbs that not even service_role has. */
  readonly serviceLacks?: readonly Verb[]
  readonly select: Readonly<Record<string, Who>>
  readonly insert?: Readonly<Record<string, { readonly sql: string; readonly who: Who }>>
  /** Each group of columns that is changed together. */
  readonly update?: Readonly<Record<string, Update>>
  readonly delete?: Readonly<Record<string, Who>>
  /** Where a delete of all rows at once meets something else than as many as there are rows to meet `yes`. */
  readonly deleteAll?: Readonly<Partial<Record<Persona, Outcome>>>
}
export type Update = {
  /** The assignment, as it stands in SQL. */
  readonly set: string
  readonly rows: Readonly<Record<string, Who>>
  /** A table, and what holds of the row there once it is changed. An update that says yes and does nothing is `unchanged`. */
  readonly proof?: string
  /** False where not all rows can be changed at once. */
  readonly blind?: false
}
export type Verb = 'select' | 'insert' | 'update' | 'delete'

/** Stands in a `from`: from there on a connected app asks for the persona. */
export const asApp = `(select set_config('request.jwt.claims',
  (coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb || '{"client_id": "an app"}')::text, true) offset 0) app`

/** Functions that clients may name: calls, with who is answered. */
export type Callable = {
  readonly anon: boolean
  readonly authenticated: boolean
  readonly calls: Readonly<Record<string, { readonly sql: string; readonly who: Who }>>
}

/**
 * What this persona meets, when `rest` is what the unnamed meet. The service meets `yes` unless it is named, and the suspended what
 * the ghost meets: nobody, to the database.
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

/** Whether the persona's role holds the verb at all, for the table or some of its columns. */
export function isGranted(relation: Relation, persona: Persona, verb: Verb): boolean {
  const role = roleOf(persona)
  if (role === 'service_role') return !relation.serviceLacks?.includes(verb)
  return permissionsOf(relation[role]).has(verb)
}

/** `select insert(a,b)` as a map from verb to columns; null stands for all of them. */
export function permissionsOf(rights: string): Map<string, readonly string[] | null> {
  return new Map(
    [...rights.matchAll(/(\w+)(?:\(([^)]*)\))?/g)].map(([, verb, columns]) => [
      String(verb),
      columns?.split(',') ?? null,
    ]),
  )
}

/** All, the suspended like the ghost. */
export const everyone = everyPersona.filter((each) => each !== 'suspended')
/** All but those named. */
export const everyoneBut = (...without: Persona[]): readonly Persona[] =>
  everyone.filter((each) => !without.includes(each))
export const signedIn = everyoneBut('visitor', 'service')
/** Signed in, with an account that exists and is open. */
export const people = everyoneBut('visitor', 'ghost', 'service')
