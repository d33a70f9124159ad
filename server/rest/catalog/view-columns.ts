/** The source column of a view's column. */
export type Origin = { readonly oid: string; readonly number: number }

/**
 * Reads the source columns of a view from its query as `pg_rewrite` stores it. Each entry of the outermost target list names in
 * `resorigtbl` and `resorigcol` the column that it selects unchanged; a computed one (a CASE, a cast) has none, so it can't carry a
 * key. PostgreSQL fills them through joins, subqueries, and laterals, which `pg_depend` doesn't distinguish.
 *
 * @param rule `pg_rewrite.ev_action` as text: `({QUERY … :targetList ({TARGETENTRY … :resno 1 … :resorigtbl 16394 …} …) …})`.
 * @returns keyed by the number of the view's column.
 */
export function readViewColumns(rule: string): Map<number, Origin> {
  const origins = new Map<number, Origin>()
  const tokens = new Tokens(rule)
  tokens.skipTo(':targetList', 2) // the list and the node QUERY are open: the outermost query
  for (;;) {
    const entry = tokens.nextNode()
    if (!entry) return origins
    const number = Number(entry.get(':resno'))
    const oid = entry.get(':resorigtbl')
    const column = Number(entry.get(':resorigcol'))
    if (oid !== undefined && oid !== '0' && column > 0) origins.set(number, { oid, number: column })
  }
}

/** A walk over a node tree. Braces, parentheses, and blanks delimit; a backslash escapes one character. */
class Tokens {
  readonly #text: string
  #position = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  #next(): string | undefined {
    const text = this.#text
    while (text[this.#position] === ' ' || text[this.#position] === '\n') this.#position += 1
    const start = this.#position
    const first = text[start]
    if (first === undefined) return undefined
    this.#position += 1
    if (first === '{' || first === '(') this.#depth += 1
    if (first === '}' || first === ')') this.#depth -= 1
    if ('{}()'.includes(first)) return first
    if (first === '\\') this.#position += 1
    while (this.#position < text.length && !' \n{}()'.includes(text[this.#position] ?? ' ')) {
      this.#position += text[this.#position] === '\\' ? 2 : 1
    }
    return text.slice(start, this.#position)
  }

  /** Stops behind `word` at exactly this depth. */
  skipTo(word: string, depth: number) {
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token === word && this.#depth === depth) break
    }
    this.#next() // the list's parenthesis, or `<>` for an empty one
  }

  /** The next node of the list with its own fields, not those of the nodes inside it; undefined behind the last. */
  nextNode(): Map<string, string> | undefined {
    if (this.#next() !== '{') return undefined
    const fields = new Map<string, string>()
    const own = this.#depth
    let field: string | undefined
    for (let token = this.#next(); token !== undefined && this.#depth >= own; token = this.#next()) {
      if (this.#depth !== own) field = undefined
      else if (token.startsWith(':')) field = token
      else if (field !== undefined) {
        fields.set(field, token)
        field = undefined
      }
    }
    return fields
  }
}
