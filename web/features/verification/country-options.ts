import { countryCodes, countryName } from '@ovation/contract/countries'
import { verificationTexts } from '@ovation/contract/texts/verification'

/** All countries by name, after an empty choice. */
export function countryOptions(): { value: string; label: string }[] {
  const countries = countryCodes.map((value) => ({ value, label: countryName(value) }))
  countries.sort((one, other) => one.label.localeCompare(other.label, 'en'))
  return [{ value: '', label: verificationTexts.country.choose }, ...countries]
}
