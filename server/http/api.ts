import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import pg from 'pg'
import type { ApiOptions, Services } from '../services.ts'
import { errors, GatewayError } from './errors.ts'

export type ApiShape = {
  /** The family's wire shape of an error; `headers` are those that the shape asks for, beside the error's own. */
  readonly renderError: (
    error: GatewayError,
    request: FastifyRequest,
  ) => { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** What a refusal of the database means in this family; undefined: it is a bug of ours, and answered as one. */
  readonly fromDatabase: (error: pg.DatabaseError) => GatewayError | undefined
  readonly routes: (app: FastifyInstance, services: Services) => void | Promise<void>
}

/** A family of the API: its routes in a scope of their own, where every failure leaves in the family's shape. */
export function buildApi({ renderError, fromDatabase, routes }: ApiShape): FastifyPluginAsync<ApiOptions> {
  return async (app, { services }) => {
    const tellOfRefusals = buildRefusalLog(services.log)
    function answer(error: GatewayError, request: FastifyRequest, reply: FastifyReply) {
      const { status, body, headers = {} } = renderError(error, request)
      return reply
        .status(status)
        .headers({ ...error.headers, ...headers })
        .send(body)
    }
    app.setErrorHandler((error: unknown, request, reply) => {
      const known = recognise(error, fromDatabase)
      if (known?.status === 503 && known.cause === undefined) tellOfRefusals()
      // What we did not throw is a bug, or a part that is down: logged whole, told in a bare sentence. 501 is neither.
      else if (!known || (known.status >= 500 && known.status !== 501))
        request.log.error({ err: known?.cause ?? error }, 'request failed')
      return answer(known ?? errors.internal(), request, reply)
    })
    const answerNotFound = (request: FastifyRequest, reply: FastifyReply) =>
      answer(errors.notFound(request.url.split('?')[0] ?? ''), request, reply)
    app.setNotFoundHandler(answerNotFound)
    await routes(app, services)
    // The bare prefix belongs to the family as well, and not to the web app.
    const unserved = app.supportedMethods.filter((method) => !app.hasRoute({ method, url: `${app.prefix}/` }))
    app.route({ method: unserved, url: '/', handler: answerNotFound })
  }
}

/** Too busy is said once in a while, with how often it was so: a line for each refusal would be one more load, when there is too much of it. */
function buildRefusalLog(log: FastifyBaseLogger): () => void {
  let refused = 0
  let toldAt = Number.NEGATIVE_INFINITY
  return () => {
    refused += 1
    if (performance.now() - toldAt < refusalLogMs) return
    log.warn({ refused }, 'too busy: requests are refused')
    toldAt = performance.now()
    refused = 0
  }
}
const refusalLogMs = 5_000

function recognise(error: unknown, fromDatabase: ApiShape['fromDatabase']): GatewayError | undefined {
  if (error instanceof GatewayError) return error
  if (error instanceof pg.DatabaseError) {
    return fromDatabase(error) ?? (isAway(error) ? errors.databaseUnavailable(error) : undefined)
  }
  if (isConnectionLoss(error)) return errors.databaseUnavailable(error)
  return fromFastify(error as FastifyError)
}

/** Fastify's own refusals, which happen before a handler of ours runs. */
function fromFastify(error: FastifyError): GatewayError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return errors.bodyTooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.unsupportedMediaType()
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return errors.malformedBody('The body is empty, and the content type says JSON')
    case 'FST_ERR_VALIDATION':
      return new GatewayError(400, 'validation_failed', error.message)
  }
  // Malformed JSON, a wrong content length, an undecodable path: Fastify marks what is the client's fault with a 4xx status.
  const status = error?.statusCode
  return status !== undefined && status >= 400 && status < 500 ? errors.malformedBody(error.message) : undefined
}

/** PostgreSQL stops, starts, or has no connection or memory left (57P01 to 57P03, classes 08 and 53): it passes, and is nobody's mistake. */
const isAway = ({ code = '' }: pg.DatabaseError): boolean => /^(57P0[1-3]|08...|53...)$/.test(code)

/** Node's and pg's words for a connection that broke while a request was using it. */
function isConnectionLoss(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(String(message))
  )
}
