/*
 * What is pressed just before its page is left is still sent (`keepalive`). A browser lets only so much outlive a page: more than 64 kB of
 * it on the way, or some hundred requests, and it refuses the next one as if there were no network. What is over that goes as others do.
 */

const mostBytesEach = 16 * 1024
const mostBytes = 48 * 1024
const mostAtOnce = 60

let bytes = 0
let atOnce = 0

/** `fetch`, and what is small and has a body is sent to its end whatever becomes of the page, while there is room for it. */
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
