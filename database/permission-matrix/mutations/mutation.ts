/** A change that removes a permission or adds one. The matrix must notice. */
export type Mutation = {
  /** A readable description of the change; also its name in `equivalent`. */
  readonly name: string
  /** Relations and functions whose cells are likely to differ: they are probed first. */
  readonly subjects: readonly string[]
  readonly sql: string
}

/** The matches of `pattern` in `text`, each replaced separately. */
export function replaceEach(
  text: string,
  pattern: RegExp,
  by: (match: RegExpMatchArray) => string,
): { text: string; found: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    text: text.slice(0, match.index) + by(match) + text.slice(match.index + match[0].length),
    found: match[0].replace(/\s+/g, ' ').trim(),
  }))
}

/** Innermost conditions in parentheses: `(a = b)`, as PostgreSQL prints them. */
export const atom = /(?<![\w"])\([^()]*(?: = | <> | > | < | >= | <= | IS )[^()]*\)/g
