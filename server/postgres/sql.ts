/** One SQL statement as a plain value: `text` with `$1…$n`, and their values. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/**
 * Builds a statement from a template. A value never enters the text; a nested statement does, with its parameters renumbered.
 * @example sql`select id from storage.objects where name = ${name}`
 */
export function sql(parts: TemplateStringsArray, ...inserts: unknown[]): Statement {
  const values = inserts.flatMap((insert) => (insert instanceof Fragment ? insert.values : [insert]))
  const pieces = inserts.map((insert) => (insert instanceof Fragment ? insert.text : undefined))
  const known = built.get(parts)
  if (known && pieces.every((piece, index) => piece === known.pieces[index])) return { text: known.text, values }
  const text = buildText(parts, inserts)
  built.set(parts, { pieces, text })
  return { text, values }
}

/**
 * The last text of each template, with the texts of its fragments: nearly always the same. A connection also finds the same string
 * faster among its statements.
 */
const built = new WeakMap<TemplateStringsArray, { pieces: readonly (string | undefined)[]; text: string }>()

function buildText(parts: TemplateStringsArray, inserts: readonly unknown[]): string {
  let text = parts[0] ?? ''
  let count = 0
  inserts.forEach((insert, index) => {
    if (insert instanceof Fragment) {
      const before = count
      text += insert.text.replace(/\$(\d+)/g, (_, position) => `$${Number(position) + before}`)
      count += insert.values.length
    } else {
      count += 1
      text += `$${count}`
    }
    text += parts[index + 1] ?? ''
  })
  return text
}

/** A piece of SQL for use inside another template: `` sql`select 1 ${fragment`where id = ${id}`}` ``. */
export function fragment(parts: TemplateStringsArray, ...inserts: unknown[]): Fragment {
  const { text, values } = sql(parts, ...inserts)
  return new Fragment(text, values)
}

class Fragment {
  readonly text: string
  readonly values: readonly unknown[]
  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
}

/** The schema, then those of extensions and helpers, each once. */
export function searchPathOf(schema: string, extra: readonly string[]): string {
  return [...new Set([schema, ...extra])].map(identifier).join(', ')
}

/** Quotes an identifier for the few places where a name, not a value, must enter the text. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
