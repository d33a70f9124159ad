import type pg from 'pg'
import type { Column, Relation } from './relations.ts'

/** Where a view's column comes from, when it is a plain column of a table: masked columns and expressions come from nowhere. */
export type Origin = { readonly relation: Relation; readonly column: Column }

/** The origin of each column of a view, by column name. The server itself traces them: it names table and column of each result field. */
export async function readOrigins(
  client: pg.Client,
  view: Relation,
  relations: readonly Relation[],
): Promise<Map<string, Origin>> {
  const definition = view.viewDefinition?.trim().replace(/;$/, '')
  const { fields } = await client.query(`select * from (${definition}) v limit 0`)
  const origins = new Map<string, Origin>()
  for (const { name, tableID, columnID } of fields) {
    const relation = relations.find(({ oid }) => oid === tableID)
    const column = relation?.columns[columnID - 1]
    if (relation && column) origins.set(name, { relation, column })
  }
  return origins
}
