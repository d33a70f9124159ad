import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string }

/** A GET request with any `Host`, which `fetch` doesn't send. */
export function ask(url: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers }, (reply) => {
      text(reply).then((body) => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }), reject)
    })
      .on('error', reject)
      .end()
  })
}
