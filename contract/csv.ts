/** Rows in RFC 4180 format, with a byte order mark so that spreadsheets read UTF-8. Text that looks like a formula stays text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `${csvStart}${csvLines(rows)}`
}

/** What a file begins with, so that spreadsheets read UTF-8. */
export const csvStart = '\uFEFF'

/** Further rows of a file that is written in parts. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')

/**
 * Where a cell could start with a formula that a spreadsheet runs: at its start, and also behind characters that some spreadsheets take
 * for the end of a cell or line, such as a semicolon. Quotes don't protect there.
 */
const formula = /(?<=^|[;\t\r\n])(?=[\s"]*[=+@-])/g

/** `-9.99` and `-$9.99` begin like a formula, but calculate nothing. */
const amount = /^-?\p{Sc}?\d[\d,]*(\.\d+)?$/u

function cell(text: string): string {
  const safe = Number.isNaN(Number(text)) && !amount.test(text) ? text.replace(formula, "'") : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
