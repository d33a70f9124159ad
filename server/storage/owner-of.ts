import type { Caller } from '../postgres/caller.ts'

/** Whose a new object becomes: the signed-in account's; undefined for a key. */
export function ownerOf({ claims }: Caller): string | undefined {
  return typeof claims.sub === 'string' ? claims.sub : undefined
}
