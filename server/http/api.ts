import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import { buildErrorTranslator, type FromDatabase } from './error-translator.ts'
import { errors, GatewayError } from './errors.ts'

/** The options of a plugin: the services that it needs. */
export type ApiOptions<Services> = { readonly services: Services }

export type ApiShape<Services = unknown> = {
  /** The API's error format; `headers` are those of the format, in addition to the error's own. */
  readonly renderError: (
    error: GatewayError,
    request: FastifyRequest,
  ) => { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  readonly fromDatabase: FromDatabase
  readonly routes: (app: FastifyInstance, services: Services) => void | Promise<void>
}

/** An API: its routes in their own scope, in which every error is sent in the API's format. */
export function buildApi<Services extends { readonly log: FastifyBaseLogger }>({
  renderError,
  fromDatabase,
  routes,
}: ApiShape<Services>): FastifyPluginAsync<ApiOptions<Services>> {
  return async (app, { services }) => {
    const translate = buildErrorTranslator(services.log, fromDatabase, fromFastify)
    function answer(error: GatewayError, request: FastifyRequest, reply: FastifyReply) {
      const { status, body, headers = {} } = renderError(error, request)
      return reply
        .status(status)
        .headers({ ...error.headers, ...headers })
        .send(body)
    }
    app.setErrorHandler((error: unknown, request, reply) => answer(translate(error, request.id), request, reply))
    const answerNotFound = (request: FastifyRequest, reply: FastifyReply) =>
      answer(errors.notFound(request.url.split('?')[0] ?? ''), request, reply)
    app.setNotFoundHandler(answerNotFound)
    await routes(app, services)
    // The bare prefix belongs to the API as well, and not to the web app.
    const unserved = app.supportedMethods.filter((method) => !app.hasRoute({ method, url: `${app.prefix}/` }))
    app.route({ method: unserved, url: '/', handler: answerNotFound })
  }
}

/** Errors of Fastify itself, before one of our handlers runs. */
function fromFastify(error: Partial<FastifyError>): GatewayError | undefined {
  switch (error?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return errors.bodyTooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.unsupportedMediaType()
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return errors.malformedBody('The body is empty, and the content type says JSON')
    case 'FST_ERR_VALIDATION':
      return new GatewayError(400, 'validation_failed', error.message ?? '')
  }
  // Malformed JSON, a wrong content length, an undecodable path: Fastify gives client errors a 4xx status.
  const status = error?.statusCode
  return status !== undefined && status >= 400 && status < 500 ? errors.malformedBody(error.message ?? '') : undefined
}
