// What XML 1.0 doesn't allow (production 2), not even escaped. Half of a surrogate pair is among it.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** The text without the characters that XML 1.0 forbids, with the line ends of Unix. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(forbidden, '')
}

/** A text as one line, cut after a word if it is longer. @param goesOn whether the text is only a beginning. */
export function toLine(text: string, maxLength: number, goesOn = false): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxLength) return goesOn && line ? `${line}…` : line
  // Not inside an emoji's surrogate pair.
  const start = line.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')
  const end = start.lastIndexOf(' ')
  return `${end > 0 ? start.slice(0, end) : start}…`
}
