import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { addTime, listenersOf } from '../../http/answered.ts'
import type { CallerResolver } from '../../http/caller.ts'
import { clientAddress, clientKey } from '../../http/client-address.ts'
import { bodyLimitBytes, corsHeaders, rowHelmetOptions } from '../../http/options.ts'
import { collectHeaders } from '../../http/security-headers.ts'
import type { Caller } from '../../postgres/caller.ts'
import type { Services } from '../../services.ts'
import type { RestEngine } from '../engine.ts'
import type { PayloadTarget } from '../parse/payload.ts'
import type { Answer } from '../respond/respond.ts'
import { describeRequest, sendAnswer } from './handle.ts'

type Asked = {
  readonly target: PayloadTarget
  readonly name: string
  readonly search: string
  readonly hasBody: boolean
}

/**
 * Lets ordinary requests for rows past Fastify. Its router, its request and reply, a logger's child, hooks and listeners take as long as
 * reading the query and asking PostgreSQL together. What is not ordinary in every respect goes through Fastify before it is touched;
 * what fails, or was changed by SQL, goes there with its outcome. So what is answered here is the success, and nothing is decided twice.
 */
export function openShortWay(app: FastifyInstance, engine: RestEngine, services: Services): void {
  const { server } = app
  const { callers, compressor, config, trustsProxy } = services
  const fixed = Object.entries({ ...collectHeaders(rowHelmetOptions(config)), ...corsHeaders }).flat()
  const outcomes = new WeakMap<IncomingMessage, Promise<Answer>>()
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    const outcome = outcomes.get(request.raw)
    if (outcome) outcome.then((answer) => void sendAnswer(reply, answer)).catch(done)
    else done()
  })

  const [throughFastify] = server.listeners('request') as [RequestListener]
  server.off('request', throughFastify)
  server.on('request', (request, response) => {
    const asked = closing ? undefined : recognise(request)
    const caller = asked && knownCaller(callers, request)
    if (!asked || !caller || isTooLarge(request, caller)) return throughFastify(request, response)
    const startedAt = performance.now()
    const respond = (body: Buffer | undefined) => {
      const outcome = answer(asked, caller, request, body)
      const passOn = () => {
        outcomes.set(request, outcome)
        addTime(request, performance.now() - startedAt)
        throughFastify(request, response)
      }
      outcome.then((made) => (made.overridden ? passOn() : send(request, response, made, startedAt))).catch(passOn)
    }
    if (asked.hasBody) readBody(request, respond)
    else respond(undefined)
  })

  /** It's refused by Fastify's way. */
  const isTooLarge = ({ headers }: IncomingMessage, { role }: Caller) =>
    role === 'anon' && Number(headers['content-length'] ?? 0) > config.http.anonymousBodyBytes

  function answer({ target, name, search }: Asked, caller: Caller, request: IncomingMessage, body: Buffer | undefined) {
    const { method = '', headers } = request
    return engine.answer(
      { method, target, name, search, headers, body },
      caller,
      describeRequest(method, headers, target, name),
      clientKey(request, trustsProxy),
    )
  }

  function send(request: IncomingMessage, response: ServerResponse, answer: Answer, startedAt: number) {
    const { body, headers } = answer
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    const isCompressed = compressor.isFor(bytes, headers['content-type'] ?? plainText, headers['content-encoding'])
    if (body === undefined || !isCompressed) return write(request, response, answer, bytes, startedAt)
    void compressor.compress(body, request.headers['accept-encoding']).then((compressed) => {
      const varied = { ...headers, vary: 'Accept-Encoding' }
      if (!compressed) return write(request, response, { ...answer, headers: varied }, bytes, startedAt)
      const { body, encoding } = compressed
      const encoded = { ...varied, 'content-encoding': encoding }
      write(request, response, { ...answer, headers: encoded, body }, body.length, startedAt)
    })
  }

  function write(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: Answer,
    bytes: number,
    startedAt: number,
  ) {
    const requestId = randomUUID()
    // A list of names and values in turn: Node takes it as it is.
    const lines = [...fixed, 'x-request-id', requestId]
    for (const name in headers) lines.push(name, headers[name] as string)
    if (body !== undefined) {
      if (headers['content-type'] === undefined) lines.push('content-type', plainText)
      lines.push('content-length', String(bytes))
    }
    const listeners = listenersOf(server)
    if (listeners.length > 0) {
      response.once('finish', () => {
        const { method = '', url = '' } = request
        const ms = performance.now() - startedAt
        const address = () => clientAddress(request, trustsProxy)
        for (const listener of listeners) listener({ requestId, method, url, status, ms, address })
      })
    }
    response.writeHead(status, lines).end(body)
  }
}

/** A name and a query, for a method that everybody uses, with a body of JSON or none. @returns undefined for whatever else there is. */
export function recognise({
  method,
  url = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Asked | undefined {
  const found = ordinaryUrl.exec(url)
  const hasBody = method === 'POST' || method === 'PATCH'
  if (!found || !(hasBody ? isJson(headers) : withoutBody.has(method ?? '') && isEmpty(headers))) return undefined
  const [, call, name = '', search = ''] = found
  // A key in the query is for Fastify, which takes queries apart.
  if (search.includes('apikey')) return undefined
  return { target: call === undefined ? 'relation' : 'function', name, search, hasBody }
}

/** Fastify's word for a text without a type. */
const plainText = 'text/plain; charset=utf-8'
const ordinaryUrl = /^\/rest\/v1\/(rpc\/)?(\w{1,63})(?:\?(.*))?$/s
const withoutBody = new Set(['GET', 'HEAD', 'DELETE'])

function isEmpty(headers: IncomingHttpHeaders): boolean {
  return (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const length = Number(headers['content-length'])
  return headers['content-type'] === 'application/json' && length > 0 && length <= bodyLimitBytes
}

/** Undefined also for who is refused, and for a token that is new: that is told, and found out, by Fastify's way. */
function knownCaller(callers: CallerResolver, { url = '', headers }: IncomingMessage): Caller | undefined {
  try {
    return callers.known({ url, headers, query: {} })
  } catch {
    return undefined
  }
}

/** What a client sends of its own accord and breaks off is never answered, nor done. */
function readBody(request: IncomingMessage, done: (body: Buffer) => void) {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => done(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)))
}
