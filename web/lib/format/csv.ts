/** Rows in RFC 4180 format, with a byte order mark so that spreadsheets read UTF-8. Text that looks like a formula stays text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/**
 * Where a cell could start with a formula that a spreadsheet runs: at its start, and also behind characters that some spreadsheets take
 * for the end of a cell or line, such as a semicolon. Quotes don't protect there.
 */
const formula = /(?<=^|[;\t\r\n])(?=[\s"]*[=+@-])/g

function cell(text: string): string {
  const safe = Number.isNaN(Number(text)) ? text.replace(formula, "'") : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
