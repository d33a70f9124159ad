import type { Context } from '../context.ts'
import type { Kind, Kinds } from '../store/kinds.ts'
import { errors } from './errors.ts'

/** The object named in the URL, or Stripe's 404. */
export function fromPath<K extends Kind>(context: Context, kind: K, id: string): Kinds[K] {
  const found = context.store.find(kind, context.account, id)
  if (!found || isDeleted(found)) throw errors.missing(kind, id, 'id', 404)
  return found
}

/** The object named by a parameter, or Stripe's 400 that names the parameter. */
export function fromParam<K extends Kind>(context: Context, kind: K, id: string, param: string): Kinds[K] {
  const found = context.store.find(kind, context.account, id)
  if (!found || isDeleted(found)) throw errors.missing(kind, id, param, 400)
  return found
}

/** A deleted object can be looked at, not worked with. */
const isDeleted = (object: object): boolean => 'deleted' in object && object.deleted === true

/** Metadata after an update: names merge, `null` removes one, an empty object changes nothing. */
export function mergeMetadata(
  present: Record<string, string> | null | undefined,
  update: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (update === null) return {}
  const merged = { ...present, ...update }
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null))
}
