/**
 * Whether a paged list must be read again after a row was removed from the cache. If its last page was full, it is now one short, which
 * would look like the end of the list.
 */
export function mustRefetchAfterRemoval(
  id: string,
  pages: readonly (readonly { id: string }[])[],
  pageSize: number,
): boolean {
  const last = pages.at(-1) ?? []
  return last.length >= pageSize && last.some((row) => row.id === id)
}
