/** A typed color code as it is stored: `"1F5F99"` → `"#1f5f99"`. `null` if it is none. */
export function colorOf(typed: string): string | null {
  const [, digits] = /^#?([0-9a-f]{6})$/.exec(typed.trim().toLowerCase()) ?? []
  return digits === undefined ? null : `#${digits}`
}
