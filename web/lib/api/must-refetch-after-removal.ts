/**
 * Whether a paged list would pass for whole once a row has been taken off it by hand: its last page was full, and one short it looks like
 * the end. Then the list is read again.
 */
export function mustRefetchAfterRemoval(
  id: string,
  pages: readonly (readonly { id: string }[])[],
  pageSize: number,
): boolean {
  const last = pages.at(-1) ?? []
  return last.length >= pageSize && last.some((row) => row.id === id)
}
