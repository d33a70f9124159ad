import type { Database } from '../postgres/database.ts'
import { findKnownVersions } from './object-queries.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Removes content whose row was deleted, unless another row still names it: a file of a vault is one content with a row for each use. Needs the
 * service: the other row may be one that the caller can't see. A row can only be added beside another one, so content without any gets none.
 */
export async function removeContent(
  { database, store }: { readonly database: Pick<Database, 'service'>; readonly store: ObjectStore },
  versions: readonly string[],
): Promise<void> {
  if (versions.length === 0) return
  const known = await findKnownVersions(database.service, versions)
  await Promise.all(versions.filter((version) => !known.has(version)).map((version) => store.remove(version)))
}
