import { DatabaseSync } from 'node:sqlite'
import type { Shop } from './shop.ts'

/**
 * Puts an object at the provider into a state that it can have but that no button of the sandbox produces.
 * @param changes values by their path in the object, as SQLite's `json_set` takes them: `$.capabilities.transfers`.
 */
export function changeAtProvider(
  { sandboxFile }: Pick<Shop, 'sandboxFile'>,
  id: string,
  changes: Readonly<Record<string, unknown>>,
): void {
  const books = new DatabaseSync(sandboxFile)
  try {
    for (const [path, value] of Object.entries(changes)) {
      const { changes: rows } = books
        .prepare('update objects set data = json_set(data, ?, json(?)) where id = ?')
        .run(path, JSON.stringify(value), id)
      if (rows !== 1) throw new Error(`the provider has no ${id}`)
    }
  } finally {
    books.close()
  }
}
