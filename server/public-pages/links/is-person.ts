import type { IncomingMessage } from 'node:http'
import { isbot } from 'isbot'

/**
 * Whether a person seems to have opened this page (LINK-02). Bots that say what they are have a known user agent; the others rarely send what
 * every browser sends with a navigation. A page that a browser only fetches ahead hasn't been opened either.
 */
export function isPerson({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  const { 'user-agent': agent, accept = '', 'accept-language': language } = headers
  if (method !== 'GET' || !agent || isbot(agent)) return false
  if (!language || !accept.includes('text/html')) return false
  const purposes = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']]
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(String(purpose ?? '')))) return false
  // Older browsers don't send these.
  const { 'sec-fetch-mode': mode = 'navigate', 'sec-fetch-dest': destination = 'document' } = headers
  return mode === 'navigate' && destination === 'document'
}
