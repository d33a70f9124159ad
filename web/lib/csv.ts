/** Rows as RFC 4180 has them, with the mark that tells spreadsheets that it is UTF-8. What a sheet would take for a formula stays text. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string): string {
  // A name that begins like a formula would be run by the sheet that opens the file.
  const safe = /^[=+@\t\r\n-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
