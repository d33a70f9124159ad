import { countryName } from '@ovation/contract/countries'

/** These countries by name, after an empty choice. */
export function countryOptions(codes: readonly string[], empty: string): { value: string; label: string }[] {
  const countries = codes.map((value) => ({ value, label: countryName(value) }))
  countries.sort((one, other) => one.label.localeCompare(other.label, 'en'))
  return [{ value: '', label: empty }, ...countries]
}
