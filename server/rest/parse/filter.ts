import type { Cursor } from './cursor.ts'
import { matchQuoted, readField } from './names.ts'
import type { Expression, Filter, IsOperand, LogicTree, Quantifier, ValueRef } from './syntax.ts'
import { arrayLiteral, type Values } from './values.ts'

/** The operators that compare a column with one value, as SQL writes them. */
const simple: Readonly<Record<string, string>> = {
  neq: '<>',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}

/** Operators that also work with `(any)` and `(all)`. */
const quantified: Readonly<Record<string, string>> = {
  eq: '=',
  gte: '>=',
  gt: '>',
  lte: '<=',
  lt: '<',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
}

const fullText: Readonly<Record<string, string>> = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
}

const operatorPattern = /[a-z]+(?:\([\p{L}0-9_ $]+\))?\./uy
const isPattern = /(?:null|not_null|true|false|unknown)/iy

type ReadValue = (cursor: Cursor) => string

/** The value of `column=`: an operator and its operand. Undefined when it is neither, e.g. a function's argument. */
export function parseFilterValue(cursor: Cursor, values: Values): Omit<Filter, 'field'> | undefined {
  const negated = cursor.take('not.')
  const expression = readExpression(cursor, values, readRest)
  if (!expression) return undefined
  cursor.expectEnd()
  return { negated, expression }
}

/** The value of `and=` and `or=`, including the operator: `and(a.eq.1,not.or(b.is.null,c.gt.2))`. */
export function parseLogic(cursor: Cursor, values: Values): LogicTree {
  const tree = readLogic(cursor, values)
  cursor.expectEnd()
  return tree
}

function readLogic(cursor: Cursor, values: Values): LogicTree {
  cursor.skipSpace()
  const group = cursor.attempt(() => {
    const negated = cursor.take('not.')
    const operator = cursor.take('and') ? 'and' : cursor.take('or') ? 'or' : undefined
    cursor.skipSpace()
    return operator && cursor.take('(') ? ({ negated, operator } as const) : undefined
  })
  if (!group) return { kind: 'filter', filter: readLogicFilter(cursor, values) }
  const members = cursor.nested(() => {
    const found = [readLogic(cursor, values)]
    for (;;) {
      cursor.skipSpace()
      if (!cursor.take(',')) return found
      found.push(readLogic(cursor, values))
    }
  })
  cursor.expect(')')
  cursor.skipSpace()
  return { kind: 'group', ...group, members }
}

function readLogicFilter(cursor: Cursor, values: Values): Filter {
  const field = readField(cursor, values)
  if (!cursor.take('.')) throw cursor.fail('"->>", "->" or delimiter (.)')
  const negated = cursor.take('not.')
  const expression = readExpression(cursor, values, readLogicValue)
  if (!expression) throw cursor.fail('operator (eq, gt, ...)')
  return { field, negated, expression }
}

function readExpression(cursor: Cursor, values: Values, readValue: ReadValue): Expression | undefined {
  const start = cursor.position
  const word = cursor.match(operatorPattern)?.slice(0, -1)
  if (word === undefined) return undefined
  const [name = '', argument] = word.replace(')', '').split('(')
  if (argument === undefined) {
    const plain = readPlain(cursor, values, readValue, name)
    if (plain) return plain
  }
  const value = (transform?: (text: string) => string) => takeValue(cursor, values, readValue, transform)
  const query = lookUp(fullText, name)
  if (query) {
    if (argument === undefined) return { kind: 'fts', query, value: value() }
    const from = start + name.length + 1
    cursor.markValue(from, from + argument.length)
    return { kind: 'fts', query, language: values.add(argument.trim()), value: value() }
  }
  const operator = lookUp(quantified, name)
  if (operator && (argument === undefined || argument === 'any' || argument === 'all')) {
    const quantifier = argument as Quantifier | undefined
    const transform = name === 'like' || name === 'ilike' ? starsToPercents : undefined
    return { kind: 'compare', operator, ...(quantifier && { quantifier }), value: value(transform) }
  }
  cursor.position = start
  return undefined
}

function readPlain(cursor: Cursor, values: Values, readValue: ReadValue, name: string): Expression | undefined {
  if (name === 'in') return { kind: 'in', value: takeValue(cursor, values, readList) }
  if (name === 'is') {
    const operand = cursor.match(isPattern)?.toLowerCase() as IsOperand | undefined
    if (operand === undefined) throw cursor.fail('isVal: (null, not_null, true, false, unknown)')
    return { kind: 'is', operand }
  }
  if (name === 'isdistinct') return { kind: 'distinct', value: takeValue(cursor, values, readValue) }
  const operator = lookUp(simple, name)
  return operator ? { kind: 'compare', operator, value: takeValue(cursor, values, readValue) } : undefined
}

function takeValue(
  cursor: Cursor,
  values: Values,
  read: ReadValue,
  transform: (text: string) => string = (text) => text,
): ValueRef {
  const start = cursor.position
  const value = transform(read(cursor))
  cursor.markValue(start)
  return values.add(value)
}

/** `*` is a wildcard because `%` is awkward in a URL. */
function starsToPercents(pattern: string): string {
  return pattern.replaceAll('*', '%')
}

function readRest(cursor: Cursor): string {
  const rest = cursor.text.slice(cursor.position)
  cursor.position = cursor.text.length
  return rest
}

const bareValuePattern = /[^,)]*/y
const arrayPattern = /\{[^{}]*\}/y

/** Within `and` and `or` a value ends at a comma or a closing parenthesis, unless it is quoted or an array. */
function readLogicValue(cursor: Cursor): string {
  return readQuotedElement(cursor) ?? cursor.match(arrayPattern) ?? cursor.match(bareValuePattern) ?? ''
}

/** `(a,"b,c",d)` as an array literal: one parameter, whatever the number of elements. */
function readList(cursor: Cursor): string {
  cursor.skipSpace()
  cursor.expect('(')
  cursor.skipSpace()
  const elements: string[] = []
  do elements.push(readQuotedElement(cursor) ?? cursor.match(bareValuePattern) ?? '')
  while (cursor.take(','))
  cursor.expect(')')
  cursor.skipSpace()
  return elements.length === 1 && elements[0] === '' ? '{}' : arrayLiteral(elements)
}

/** A quoted element, unless more than a delimiter follows it: then the quotes are part of a bare one. */
function readQuotedElement(cursor: Cursor): string | undefined {
  return cursor.attempt(() => {
    const value = matchQuoted(cursor)
    return cursor.atEnd || cursor.startsWith(',') || cursor.startsWith(')') ? value : undefined
  })
}

function lookUp(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
