/** A rule of a feed's format, as a check. */
export type FeedRule<Document> = {
  readonly name: string
  /** @returns what is wrong, one line each; none for a feed that keeps the rule. */
  readonly check: (document: Document) => readonly string[]
  /** Makes a valid document break the rule, for the proof that the check notices. */
  readonly violate: (text: string) => string
}

/** Complains of each value that isn't as it must be. */
export const complain = (what: string, values: readonly unknown[], isRight: (value: string) => boolean): string[] =>
  values.filter((value) => typeof value !== 'string' || !isRight(value)).map((value) => `${what}: ${String(value)}`)

export const isAbsoluteUrl = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && !/[\s<>"]/.test(text)

export const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

/** The tags that feeds use. Anything else in the HTML of an entry would have come from a text. */
const allowed = /^<(?:p dir="auto"|p|\/p|br \/|img src="[^"<>]*" alt="" \/|a href="[^"<>]*"|\/a)>$/

/** Complains of markup that a text has brought in, and of addresses that work only on our pages. */
export function complainOfHtml(html: string): string[] {
  const tags = html.match(/<[^>]*>?/g) ?? []
  const addresses = [...html.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  )
  return [
    ...complain('tag', tags, (tag) => allowed.test(tag)),
    ...complain('address in the HTML', addresses, isAbsoluteUrl),
  ]
}
