import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { leaveUnread } from '../http/body-budget.ts'
import { clientAddress, clientKey } from '../http/client-address.ts'
import { corsHeaders, preflightHeaders } from '../http/cors.ts'
import { buildErrorTranslator } from '../http/error-translator.ts'
import { errors, type GatewayError } from '../http/errors.ts'
import { bodyLimitBytes } from '../http/fastify-options.ts'
import { rowHelmetOptions } from '../http/helmet-options.ts'
import { readBody, readsBody } from '../http/read-body.ts'
import type { ResponseObservers } from '../http/response-observers.ts'
import { type PlainResponse, ResponseWriter } from '../http/response-writer.ts'
import { collectHeaders } from '../http/security-headers.ts'
import type { Caller } from '../postgres/caller.ts'
import { fromDatabaseError } from './database-errors.ts'
import type { RestEngine } from './engine.ts'
import { restErrors } from './errors.ts'
import { renderError } from './render-error.ts'
import { respondWithDescription } from './routes/description.ts'
import { matchRoute, type Route } from './routes/match-route.ts'
import { describeRequest } from './routes/request-settings.ts'
import type { Services } from './services.ts'

/**
 * The HTTP side of rest/v1: authentication, the body, errors in PostgREST's shape, headers, metrics, and the request log. Node calls it
 * without Fastify, whose router, request, reply, and hooks cost as much as a query (docs/decisions/0021).
 */
export function buildRestHandler(
  services: Services,
  engine: RestEngine,
  observers: ResponseObservers,
): RequestListener {
  const { bodyBudget, callers, compressor, config, log, trustsProxy } = services
  const { anonymousBodyBytes } = config.http
  const writer = new ResponseWriter({ ...collectHeaders(rowHelmetOptions(config)), ...corsHeaders }, compressor)
  // The engine translates errors of statements; this is for all others.
  const translateError = buildErrorTranslator(log, (error) => fromDatabaseError(error, true))

  async function respond(request: IncomingMessage, response: ServerResponse, route: Route): Promise<PlainResponse> {
    const { method = '', url = '', headers } = request
    const { resource, name, search } = route
    if (method === 'OPTIONS') return { status: 204, headers: preflightHeaders(headers), body: undefined }
    const resolved = callers.fromRequest({ url, headers, query: readApiKey(search) })
    const caller = resolved instanceof Promise ? await resolved : resolved
    const limit = limitBody(request, response, caller)
    let body: Buffer | undefined
    if (readsBody(method)) {
      if (caller.role !== 'service_role') bodyBudget.reserve(request, response, limit.maxBytes)
      body = await readBody(request, limit.maxBytes, limit.tooLarge)
    }
    if (resource === undefined) throw restErrors.path()
    if (resource === 'description') {
      if (readsBody(method)) throw restErrors.path()
      return respondWithDescription(services, engine.catalog, caller, headers)
    }
    return engine.respond(
      { method, target: resource, name, search, headers, body },
      caller,
      describeRequest(request, resource, name),
      clientKey(request, trustsProxy),
    )
  }

  /** @throws GatewayError 413 `body_too_large` for a visitor's body of a known length, whatever the method. */
  function limitBody(request: IncomingMessage, response: ServerResponse, { role }: Caller) {
    const isAnonymous = role === 'anon'
    const tooLarge = () => {
      leaveUnread(request, response)
      return isAnonymous ? errors.anonymousBodyTooLarge(anonymousBodyBytes) : errors.bodyTooLarge()
    }
    if (isAnonymous && Number(request.headers['content-length']) > anonymousBodyBytes) throw tooLarge()
    return { maxBytes: isAnonymous ? anonymousBodyBytes : bodyLimitBytes, tooLarge }
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const route = matchRoute(request.url)
    if (!observers.isEmpty) {
      response.once('finish', () => {
        const { method = '', url = '' } = request
        const ms = performance.now() - startedAt
        const address = () => clientAddress(request, trustsProxy)
        observers.notify({ requestId, method, url, route: route.pattern, status: response.statusCode, ms, address })
      })
    }
    try {
      await writer.write(request, response, requestId, await respond(request, response, route))
    } catch (error) {
      await writer.write(request, response, requestId, toPlainResponse(translateError(error, requestId)))
    }
  }

  return (request, response) => {
    handle(request, response).catch((err: unknown) => {
      log.error({ err }, 'a response could not be written')
      response.destroy()
    })
  }
}

/** The key in the query, because a link or a websocket can't send headers. */
function readApiKey(search: string): unknown {
  return search.includes('apikey') ? Object.fromEntries(new URLSearchParams(search)) : {}
}

function toPlainResponse(error: GatewayError): PlainResponse {
  const { status, body, headers } = renderError(error)
  const all = Object.entries({ ...error.headers, ...headers, 'content-type': 'application/json; charset=utf-8' })
  return {
    status,
    headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])),
    body: JSON.stringify(body),
  }
}
