import type { IncomingMessage } from 'node:http'
import type { RequestSettings } from '../../postgres/caller.ts'
import type { PayloadTarget } from '../parse/payload.ts'

/** Facts of the request for SQL: `current_setting('request.headers')`, as in PostgREST. */
export function describeRequest(
  { method = '', headers }: IncomingMessage,
  target: PayloadTarget,
  name: string,
): RequestSettings {
  const path = target === 'function' ? `/rpc/${name}` : `/${name}`
  return { method, path, headers: JSON.stringify(headers), cookies: parseCookies(headers.cookie) }
}

function parseCookies(header: string | undefined): string {
  if (header === undefined) return '{}'
  const cookies = header.split(';').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    return [name.trim(), value.trim()]
  })
  return JSON.stringify(Object.fromEntries(cookies))
}
