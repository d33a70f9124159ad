import { commonTexts } from '@ovation/contract/texts/common'

/** What the browsers say when no server answered. It helps nobody on a screen. */
const unreachable = /failed to fetch|fetch failed|networkerror|load failed/i

/** The sentence of an error for a screen: the server's own, or one that tells that no server answered. */
export function sentenceOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
  return message === '' || unreachable.test(message) ? commonTexts.offline : message
}
