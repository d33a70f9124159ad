const formats = new Map<string, Intl.NumberFormat>()

/** `-999` → `-$9.99` */
export function formatMoney(cents: number, currency: string): string {
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, format)
  return format.format(cents / 100)
}
