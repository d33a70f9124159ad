import type { Cursor } from './cursor.ts'
import type { Field, JsonStep } from './syntax.ts'
import type { Values } from './values.ts'

const identifierPattern = /[\p{L}0-9_ $]+/uy
const indexPattern = /-?[0-9]+(?=->|::|[.,)]|$)/y
const quotedPattern = /"(?:[^"\\]|\\.)*"/sy
const castPattern = /[A-Za-z0-9_ $]+/y

/** A name: bare words, which may hold spaces and single dashes, or anything between double quotes. */
export function readName(cursor: Cursor): string {
  const name = tryReadName(cursor)
  if (name === undefined) throw cursor.fail('field name (* or [a..z0..9_$])')
  return name
}

export function tryReadName(cursor: Cursor): string | undefined {
  const quoted = readQuoted(cursor)
  if (quoted !== undefined) return requireClean(cursor, quoted)
  let name = cursor.match(identifierPattern)?.trim()
  if (name === undefined) return undefined
  while (cursor.startsWith('-') && !cursor.startsWith('->')) {
    cursor.position += 1
    const next = cursor.match(identifierPattern)?.trim()
    if (next === undefined) throw cursor.fail('letter or digit')
    name += `-${next}`
  }
  return name
}

/** The text between double quotes, with backslash escapes undone. */
function readQuoted(cursor: Cursor): string | undefined {
  if (!cursor.startsWith('"')) return undefined
  const text = matchQuoted(cursor)
  if (text !== undefined) return text
  cursor.position = cursor.text.length
  throw cursor.fail('a closing double quote')
}

export function matchQuoted(cursor: Cursor): string | undefined {
  return cursor.match(quotedPattern)?.slice(1, -1).replace(/\\(.)/gs, '$1')
}

/** PostgreSQL's names are never empty and contain no NUL, which would cut the protocol message short. */
function requireClean(cursor: Cursor, name: string): string {
  if (name === '' || name.includes('\u0000')) throw cursor.fail('field name (* or [a..z0..9_$])')
  return name
}

/** `name->key->>0`. The keys are values. */
export function readField(cursor: Cursor, values: Values): Field {
  cursor.skipSpace()
  const name = readName(cursor)
  const path = readJsonPath(cursor, values)
  cursor.skipSpace()
  return { name, path }
}

export function readJsonPath(cursor: Cursor, values: Values): JsonStep[] {
  const path: JsonStep[] = []
  while (cursor.startsWith('->')) {
    const arrow = cursor.take('->>') ? '->>' : '->'
    if (arrow === '->') cursor.take('->')
    const index = cursor.match(indexPattern)
    if (index !== undefined) {
      path.push({ arrow, name: undefined, key: values.add(index) })
      continue
    }
    const name = readName(cursor)
    path.push({ arrow, name, key: values.add(name) })
  }
  return path
}

/** The type of a `::cast`: letters, digits, underscores and spaces, because `double precision` can't be quoted. */
export function readCast(cursor: Cursor): string {
  const cast = cursor.match(castPattern)?.trim()
  if (!cast) throw cursor.fail('letter or digit')
  return cast
}

/** `a,b,"c d"`. */
export function readNames(cursor: Cursor): string[] {
  const names = [readName(cursor)]
  for (;;) {
    cursor.skipSpace()
    if (!cursor.take(',')) break
    cursor.skipSpace()
    names.push(readName(cursor))
  }
  cursor.expectEnd()
  return names
}
