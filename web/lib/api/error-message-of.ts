import { commonTexts } from '@ovation/contract/texts/common'

/** What browsers and proxies say when the server did not answer, or a part of the app did not come (ERR-04). It helps nobody on a screen. */
const unreachable =
  /failed to fetch|fetch failed|networkerror|load failed|loading dynamically imported|importing a module script failed|^(bad gateway|service unavailable|gateway time-?out|HTTP 5\d\d)$/i

/** Codes of errors whose messages are written for programs: auth/v1 says what GoTrue says, word for word. */
const ownWords = new Map<unknown, string>([
  ['mfa_verification_failed', commonTexts.wrongCode],
  ['otp_expired', commonTexts.wrongCode],
])

/** The sentence of an error for a screen: the server's own, one for people in its place, or one that tells that no server answered. */
export function errorMessageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return commonTexts.offline
  const own = 'code' in error ? ownWords.get(error.code) : undefined
  const message = own ?? ('message' in error ? String(error.message) : '')
  return message === '' || unreachable.test(message) ? commonTexts.offline : message
}
