import { commonTexts } from '@ovation/contract/texts/common'

/** What browsers and proxies say when the server did not answer (ERR-04). It helps nobody on a screen. */
const unreachable =
  /failed to fetch|fetch failed|networkerror|load failed|^(bad gateway|service unavailable|gateway time-?out|HTTP 5\d\d)$/i

/** The sentence of an error for a screen: the server's own, or one that tells that no server answered. */
export function sentenceOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
  return message === '' || unreachable.test(message) ? commonTexts.offline : message
}
