/*
 * Requests that app/early.ts sends before the app has loaded, keyed by their full URL.
 */

type Early = { token: string; sentAt: number; response: Promise<Response | null> }

const sent = new Map<string, Early>()
/** As long as query data counts as fresh. */
const freshMs = 30_000

/** Sends a read. A failure is ignored here: the query that needs the response sends it again and reports the error. */
export function sendEarly(url: string, token: string, anonKey: string): void {
  const headers = { apikey: anonKey, authorization: `Bearer ${token}` }
  const response = fetch(url, { headers }).then(
    (received) => (received.ok ? received : null),
    () => null,
  )
  sent.set(url, { token, sentAt: performance.now(), response })
}

/** Takes the response for this URL and token, once; `null` if none was sent, it failed, or it is stale. */
export async function takeEarly(url: string, token: string): Promise<Response | null> {
  const early = sent.get(url)
  if (!early) return null
  sent.delete(url)
  return early.token === token && performance.now() - early.sentAt < freshMs ? early.response : null
}
