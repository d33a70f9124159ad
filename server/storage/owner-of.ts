import type { Caller } from '../postgres/caller.ts'

/** The owner of a new object: the signed-in account; undefined for an API key. */
export function ownerOf({ claims }: Caller): string | undefined {
  return typeof claims.sub === 'string' ? claims.sub : undefined
}
