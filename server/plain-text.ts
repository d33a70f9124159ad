/** Controls, which XML forbids, and marks that reorder the text around them: a name must not turn the rest of a title around. */
const disruptive = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

/** A user's text in one line, for where there is nothing but text: titles, descriptions, and the documents of other programs. */
export function plainText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(disruptive, '').trim()
}

/** @param goesOn there is more of it than `text`. */
export function shorten(text: string, maxLength: number, goesOn = false): string {
  const line = plainText(text)
  if (line.length <= maxLength) return goesOn && line !== '' ? `${line}…` : line
  // Not inside an emoji's surrogate pair.
  const start = line.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${start.trimEnd()}…`
}
