import type { Column, Constraint } from './relations.ts'

const scalars: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  'double precision': 'number',
  integer: 'number',
  json: 'Json',
  jsonb: 'Json',
  numeric: 'number',
  real: 'number',
  smallint: 'number',
  void: 'undefined',
}

/** The TypeScript type of a PostgreSQL type as rest/v1 writes it in JSON. Types without a closer match are strings. */
export function typescriptType(type: string): string {
  if (type.endsWith('[]')) return `${typescriptType(type.slice(0, -2))}[]`
  return scalars[type.replace(/\(.*\)/, '')] ?? 'string'
}

/** The type of a column's values: the words its check constraint allows, when it lists them, else its type. */
export function columnType(column: Column, constraints: readonly Constraint[]): string {
  const words = constraints
    .filter(({ kind, columns }) => kind === 'c' && columns.length === 1 && columns[0] === column.name)
    .map(({ definition }) => allowedWords(definition, column.name))
    .find((found) => found !== undefined)
  if (!words) return typescriptType(column.type)
  const union = words.map((word) => `'${word}'`).join(' | ')
  return column.type.endsWith('[]') ? `(${union})[]` : union
}

/** `CHECK ((status = ANY (ARRAY['a'::text, 'b'::text])))`, `CHECK ((types <@ ARRAY[…]))` or `CHECK ((role = 'a'::text))` to its words. */
function allowedWords(quoted: string, column: string): string[] | undefined {
  const definition = quoted.replaceAll('"', '')
  const [, list] =
    definition.match(/^CHECK \(\((\w+) (?:= ANY \(|<@ )ARRAY\[([^\]]+)\]\)?\)\)$/)?.slice(1) ??
    definition.match(/^CHECK \(\((\w+) = ('[^']+'::text)\)\)$/)?.slice(1) ??
    []
  if (!list || !definition.includes(`((${column} `)) return undefined
  const words = list.split(', ').map((item) => item.match(/^'([^']+)'::text$/)?.[1])
  return words.every((word) => word !== undefined) ? words : undefined
}
