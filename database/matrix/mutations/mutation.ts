/** A change that takes a right away or gives one too many. The matrix must notice. */
export type Mutation = {
  /** What is changed, as a person would say it; also its name in `equivalent`. */
  readonly name: string
  /** Relations and functions whose cells are likely to differ: they are looked at first. */
  readonly subjects: readonly string[]
  readonly sql: string
}

/** The places where `pattern` stands in `text`, each replaced by itself. */
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

/** Conditions in parentheses that hold no other ones: `(a = b)`, as PostgreSQL prints them. */
export const atom = /(?<![\w"])\([^()]*(?: = | <> | > | < | >= | <= | IS )[^()]*\)/g
