import type { Cursor } from './cursor.ts'
import { readCast, readField, readName, tryReadName } from './names.ts'
import { type Aggregate, aggregates, type SelectColumn, type SelectEmbed, type SelectItem } from './syntax.ts'
import type { Values } from './values.ts'

const aggregatePattern = new RegExp(`\\.(?:${aggregates.join('|')})\\(\\)`, 'y')

/** `id,name:username,posts!fk!inner(title),...profile(bio)` (PostgREST/postgrest `docs/references/api/tables_views.rst`). */
export function parseSelect(cursor: Cursor, values: Values): SelectItem[] {
  const items = readItems(cursor, values)
  cursor.expectEnd()
  return items
}

function readItems(cursor: Cursor, values: Values): SelectItem[] {
  const items: SelectItem[] = []
  cursor.skipSpace()
  if (cursor.atEnd || cursor.startsWith(')')) return items
  for (;;) {
    items.push(readItem(cursor, values))
    cursor.skipSpace()
    if (!cursor.take(',')) return items
  }
}

function readItem(cursor: Cursor, values: Values): SelectItem {
  cursor.skipSpace()
  if (cursor.take('...')) return readEmbed(cursor, values, readName(cursor), undefined, true)
  if (cursor.take('*')) return column({ name: '*', path: [] })
  const alias = readAlias(cursor)
  const start = cursor.position
  const name = readName(cursor)
  if (name === 'count' && cursor.take('()')) return readCount(cursor, alias)
  if (cursor.startsWith('!') || cursor.startsWith('(')) return readEmbed(cursor, values, name, alias, false)
  cursor.position = start
  return readColumn(cursor, values, alias)
}

/** `alias:` but not the `::` of a cast. */
function readAlias(cursor: Cursor): string | undefined {
  return cursor.attempt(() => {
    const name = tryReadName(cursor)
    return name !== undefined && !cursor.startsWith('::') && cursor.take(':') ? name : undefined
  })
}

function readColumn(cursor: Cursor, values: Values, alias: string | undefined): SelectColumn {
  const field = readField(cursor, values)
  const cast = cursor.take('::') ? readCast(cursor) : undefined
  const aggregate = cursor.match(aggregatePattern)?.slice(1, -2) as Aggregate | undefined
  const aggregateCast = aggregate && cursor.take('::') ? readCast(cursor) : undefined
  requireItemEnd(cursor)
  return { kind: 'column', field, alias, cast, aggregate, aggregateCast }
}

function readCount(cursor: Cursor, alias: string | undefined): SelectColumn {
  const aggregateCast = cursor.take('::') ? readCast(cursor) : undefined
  requireItemEnd(cursor)
  return { ...column({ name: '*', path: [] }), alias, aggregate: 'count', aggregateCast }
}

function requireItemEnd(cursor: Cursor) {
  cursor.skipSpace()
  if (!cursor.atEnd && !cursor.startsWith(',') && !cursor.startsWith(')')) {
    throw cursor.fail('letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input')
  }
}

/** `name!hint!inner(items)`: hint and kind of join in either order. */
function readEmbed(
  cursor: Cursor,
  values: Values,
  name: string,
  alias: string | undefined,
  spread: boolean,
): SelectEmbed {
  let hint: string | undefined
  let join: SelectEmbed['join']
  while (cursor.take('!')) {
    const word = readName(cursor)
    if (join === undefined && (word === 'inner' || word === 'left')) join = word
    else if (hint === undefined) hint = word
    else throw cursor.fail('"("')
  }
  cursor.expect('(')
  const items = cursor.nested(() => readItems(cursor, values))
  cursor.expect(')')
  return { kind: 'embed', name, alias, hint, join, spread, items }
}

function column(field: SelectColumn['field']): SelectColumn {
  return { kind: 'column', field, alias: undefined, cast: undefined, aggregate: undefined, aggregateCast: undefined }
}
