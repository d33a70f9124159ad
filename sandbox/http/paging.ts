import type { Context } from '../context.ts'
import type { Kind, Kinds } from '../store/kinds.ts'
import type { ListQuery } from '../store/store.ts'
import { errors } from './errors.ts'
import { integer, range, string } from './params.ts'

export type List<T> = { object: 'list'; url: string; has_more: boolean; data: T[] }

/** What every list takes. */
export const pagingFields = {
  limit: integer({ min: 1, max: 100 }),
  starting_after: string(),
  ending_before: string(),
  created: range(),
}

type Paging = { limit?: number; starting_after?: string; ending_before?: string; created?: ListQuery['created'] }

/**
 * One page of a kind, newest first.
 * @throws 400 when the cursor names no object of this list, or both cursors are given.
 */
export function listPage<K extends Kind>(
  context: Context,
  kind: K,
  url: string,
  paging: Paging,
  where: ListQuery['where'] = {},
): List<Kinds[K]> {
  if (paging.starting_after && paging.ending_before)
    throw errors.exclusive(
      'ending_before',
      'You may only specify one of these parameters: ending_before, starting_after.',
    )
  for (const cursor of ['starting_after', 'ending_before'] as const) {
    const id = paging[cursor]
    if (id && !context.store.find(kind, context.account, id)) throw errors.missing(kind, id, cursor, 400)
  }
  const { data, hasMore } = context.store.list(kind, {
    account: context.account,
    where,
    limit: paging.limit,
    startingAfter: paging.starting_after,
    endingBefore: paging.ending_before,
    created: paging.created,
  })
  return { object: 'list', url, has_more: hasMore, data }
}

/** A list that stands inside another object. */
export const listOf = <T>(url: string, data: T[]): List<T> => ({ object: 'list', url, has_more: false, data })
