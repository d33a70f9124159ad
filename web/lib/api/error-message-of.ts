import { commonTexts } from '@ovation/contract/texts/common'

/** Messages of browsers and proxies when the server can't be reached or an import failed (ERR-04). They don't help users. */
const unreachable =
  /failed to fetch|fetch failed|networkerror|load failed|loading dynamically imported|importing a module script failed|^(bad gateway|service unavailable|gateway time-?out|HTTP 5\d\d)$/i

/** Error codes whose messages are technical: auth/v1 repeats GoTrue's messages word for word. */
const ownWords = new Map<unknown, string>([
  ['mfa_verification_failed', commonTexts.wrongCode],
  ['otp_expired', commonTexts.wrongCode],
])

/** The message of an error for a screen: the server's own, a readable replacement, or one that says the server can't be reached. */
export function errorMessageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return commonTexts.offline
  const own = 'code' in error ? ownWords.get(error.code) : undefined
  const message = own ?? ('message' in error ? String(error.message) : '')
  return message === '' || unreachable.test(message) ? commonTexts.offline : message
}
