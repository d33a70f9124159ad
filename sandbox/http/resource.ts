import type { Context } from '../context.ts'
import type { Kind } from '../store/kinds.ts'
import type { Fields, Params } from './params.ts'

/** One URL of the API. `handle` runs inside one transaction and returns what the API answers. */
export type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  fields: Fields
  handle: (context: Context, params: never, id: string) => object
}

/** One of Stripe's resources: how it may be expanded, and its URLs. Every file of `resources/` exports one. */
export type Resource = {
  kind: Kind | 'balance' | 'oauth'
  /** Fields that hold an id and can be expanded to the object, by path. */
  expandable?: readonly string[]
  /** Fields that are absent until `expand` asks for them. */
  includable?: Readonly<Record<string, (context: Context, object: { id: string }) => unknown>>
  routes: readonly Route[]
}

/** Ties the type of `params` to the fields that were declared for the URL. */
export const route = <F extends Fields>(
  method: Route['method'],
  path: string,
  fields: F,
  handle: (context: Context, params: Params<F>, id: string) => object,
): Route => ({ method, path, fields, handle })
