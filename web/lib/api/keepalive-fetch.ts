/*
 * Requests sent just before the page closes still arrive (`keepalive`). Browsers limit this to 64 kB in flight, or about a hundred requests,
 * and fail the next one with a network error. Requests above our limit are sent without `keepalive`.
 */

const mostBytesEach = 16 * 1024
const mostBytes = 48 * 1024
const mostAtOnce = 60

let bytes = 0
let atOnce = 0

/** `fetch`, with `keepalive` for small requests with a body while the limits allow it. */
export async function keepaliveFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const size = typeof init?.body === 'string' ? new Blob([init.body]).size : Number.POSITIVE_INFINITY
  if (size > mostBytesEach || bytes + size > mostBytes || atOnce >= mostAtOnce) return fetch(input, init)
  bytes += size
  atOnce += 1
  try {
    return await fetch(input, { ...init, keepalive: true })
  } finally {
    bytes -= size
    atOnce -= 1
  }
}
