/** A field that a spreadsheet would take for a formula (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r]/

/** Rows as CSV (RFC 4180), with their names above. Objects stand as JSON, nothing as an empty field. */
export function toCsv<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  return lines.map((fields) => `${fields.map(quote).join(',')}\r\n`).join('')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return formula.test(text) ? `'${text}` : text
}

const quote = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
