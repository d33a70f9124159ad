import type { Cursor } from './cursor.ts'
import { readField, readName, tryReadName } from './names.ts'
import type { OrderTerm } from './syntax.ts'
import type { Values } from './values.ts'

/** `created_at.desc.nullslast,author(name).asc`. */
export function parseOrder(cursor: Cursor, values: Values): OrderTerm[] {
  const terms: OrderTerm[] = []
  do terms.push(readTerm(cursor, values))
  while (cursor.take(','))
  cursor.expectEnd()
  return terms
}

function readTerm(cursor: Cursor, values: Values): OrderTerm {
  cursor.skipSpace()
  const relation = cursor.attempt(() => {
    const name = tryReadName(cursor)
    return name !== undefined && cursor.take('(') ? name : undefined
  })
  const field = relation === undefined ? readField(cursor, values) : readRelated(cursor, values)
  const direction = cursor.take('.asc') ? 'asc' : cursor.take('.desc') ? 'desc' : undefined
  const nulls = cursor.take('.nullsfirst') ? 'first' : cursor.take('.nullslast') ? 'last' : undefined
  cursor.skipSpace()
  if (!cursor.atEnd && !cursor.startsWith(',')) throw cursor.fail(expected(cursor, direction, nulls))
  return { relation, field, direction, nulls }
}

function readRelated(cursor: Cursor, values: Values) {
  const field = readField(cursor, values)
  cursor.expect(')')
  return field
}

function expected(cursor: Cursor, direction: unknown, nulls: unknown): string {
  if (!cursor.startsWith('.') || nulls) return '"," or end of input'
  cursor.position += 1
  return direction ? '"nullsfirst" or "nullslast"' : '"asc", "desc", "nullsfirst" or "nullslast"'
}

/** `a.b.c`: the path of an embedded level, and the last name. */
export function readPath(cursor: Cursor): string[] {
  const names = [readName(cursor)]
  while (cursor.take('.')) names.push(readName(cursor))
  return names
}
