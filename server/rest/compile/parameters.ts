import type { ValueRef } from '../parse/syntax.ts'

/** Counts the parameters of one statement: each use of a value is a parameter of its own, typed by the place where it stands. */
export class Parameters {
  readonly references: ValueRef[] = []

  /** The placeholder, e.g. `$3`. */
  add(value: ValueRef): string {
    return `$${this.references.push(value)}`
  }
}

/** Quotes a name. Names have no NUL: `parse` refuses them. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

export const qualified = ({ schema, name }: { schema: string; name: string }) => `${quote(schema)}.${quote(name)}`

/** A string constant for names that come from the catalogue. Values of a request are parameters, never this. */
export function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return text.includes('\\') ? ` E${quoted}` : quoted
}
