import { type PayoutCountry, payoutCountryCodes } from '@ovation/contract/countries'
import { ownZone } from '../../lib/format/local-time.ts'

export const isPayoutCountry = (code: string | undefined): code is PayoutCountry =>
  payoutCountryCodes.some((known) => known === code)

/**
 * The country that the browser suggests, for the creator to confirm: by its time zone, because many people abroad have an American
 * browser, else by its language. Empty if both are unknown or elsewhere.
 */
export function likelyPayoutCountry(zone = ownZone(), languages = navigator.languages): PayoutCountry | '' {
  const byZone = payoutCountryCodes.find((code) => zonesOf(code).includes(zone))
  if (byZone) return byZone
  // A zone elsewhere, such as Asia/Tokyo, says more than an English browser. UTC says nothing, and some browsers don't know the zones.
  if (/^(?!Etc\/).+\//.test(zone) && zonesOf('US').length > 0) return ''
  return languages.map((language) => new Intl.Locale(language).region).find(isPayoutCountry) ?? ''
}

/** Older browsers have the list as a property, and some have none. */
function zonesOf(code: PayoutCountry): readonly string[] {
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & {
    getTimeZones?: () => readonly string[] | undefined
    timeZones?: readonly string[]
  }
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}
