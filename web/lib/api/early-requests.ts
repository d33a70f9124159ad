/*
 * Requests that are under way before the app that needs their answers is there (app/early.ts), by their whole address.
 */

type Early = { token: string; sentAt: number; answer: Promise<Response | null> }

const sent = new Map<string, Early>()
/** As long as any answer counts as fresh. */
const freshMs = 30_000

/** Sends a read. A failure is nobody's yet: whoever needs the answer asks again, and is told. */
export function sendEarly(url: string, token: string, anonKey: string): void {
  const headers = { apikey: anonKey, authorization: `Bearer ${token}` }
  const answer = fetch(url, { headers }).then(
    (response) => (response.ok ? response : null),
    () => null,
  )
  sent.set(url, { token, sentAt: performance.now(), answer })
}

/** The answer to this very read by this very token, once; `null` where none was sent, or it failed, or it is no longer fresh. */
export async function takeEarly(url: string, token: string): Promise<Response | null> {
  const early = sent.get(url)
  if (!early) return null
  sent.delete(url)
  return early.token === token && performance.now() - early.sentAt < freshMs ? early.answer : null
}
