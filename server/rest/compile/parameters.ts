import type { ValueRef } from '../parse/syntax.ts'

/** Collects the parameters of one statement: each use of a value is a separate parameter, typed by its position. */
export class Parameters {
  readonly references: ValueRef[] = []

  /** The placeholder, e.g. `$3`. */
  add(value: ValueRef): string {
    return `$${this.references.push(value)}`
  }
}

/** Quotes a name. Names have no NUL: `parse` rejects them. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

export const qualified = ({ schema, name }: { schema: string; name: string }) => `${quote(schema)}.${quote(name)}`

/** A string constant for names from the catalog. Values of a request are parameters, never constants. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return text.includes('\\') ? ` E${quoted}` : quoted
}
