/** Rows as RFC 4180 has them, with the mark that tells spreadsheets that it is UTF-8. What a sheet would take for a formula stays text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/**
 * Where a cell would begin like a formula and be run by the sheet that opens the file: at its start, and also behind what some sheets
 * take for the end of a cell or line wherever it stands, as those do that part cells by semicolons: there no quote begins before it.
 */
const formula = /(?<=^|[;\t\r\n])(?=[\s"]*[=+@-])/g

function cell(text: string): string {
  const safe = Number.isNaN(Number(text)) ? text.replace(formula, "'") : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
