import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientKey, type TrustsProxy } from '../../http/client-address.ts'
import type { RequestSettings } from '../../postgres/caller.ts'
import type { RestEngine } from '../engine.ts'
import type { PayloadTarget } from '../parse/payload.ts'
import type { Answer } from '../respond/respond.ts'

export type RestRoutes = { readonly engine: RestEngine; readonly trustsProxy: TrustsProxy }

/** Carries one HTTP request through the engine and sends what PostgreSQL made of it, unparsed. */
export async function handleRequest(
  { engine, trustsProxy }: RestRoutes,
  target: PayloadTarget,
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
) {
  const { method, headers, url, body } = request
  const question = url.indexOf('?')
  const { name } = request.params
  const answer = await engine.answer(
    {
      method,
      target,
      name,
      search: question < 0 ? '' : url.slice(question + 1),
      headers,
      body: Buffer.isBuffer(body) ? body : undefined,
    },
    request.caller,
    describeRequest(method, headers, target, name),
    clientKey(request.raw, trustsProxy),
  )
  return sendAnswer(reply, answer)
}

export function sendAnswer(reply: FastifyReply, { status, headers, body }: Answer) {
  return reply.status(status).headers(headers).send(body)
}

/** What SQL may ask of the request: `current_setting('request.headers')`, as in PostgREST. */
export function describeRequest(
  method: string,
  headers: IncomingHttpHeaders,
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
