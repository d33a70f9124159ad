import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { newId } from '../store/ids.ts'
import { requireTestKey } from './api-key.ts'
import { apiVersion } from './api-version.ts'
import { errors, OAuthError, StripeError } from './errors.ts'
import { expand } from './expand.ts'
import { decodeForm, type RawObject } from './form.ts'
import { type Answer, type KeyedRequest, remember, replay } from './idempotency.ts'
import { array, type Fields, readFields, string } from './params.ts'
import type { Resource, Route } from './resource.ts'
import type { Traffic } from './traffic.ts'

export type ApiOptions = {
  resources: readonly Resource[]
  /** The context of work that begins now. */
  contextOf: (request: Context['request'], account?: string, isOfHistory?: boolean) => Context
  truth: Context['truth']
  /** What runs at the same time. */
  traffic: Traffic
  /** Called after a request has been committed, for example to send its webhooks. */
  committed: () => void
}

/** Requests with it happen in the open history instead of now. */
export const historyHeader = 'sandbox-history'

/** Serves the resources under the URLs, errors and headers of Stripe's API. */
export async function api(app: FastifyInstance, options: ApiOptions): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    reply
      .header('request-id', newId('req'))
      .header('stripe-version', apiVersion)
      .header('cache-control', 'no-cache, no-store')
    requireTestKey(request.headers.authorization)
    const version = headerOf(request, 'stripe-version')
    if (version && version !== apiVersion) throw errors.badVersion(version, apiVersion)
    options.traffic.pass()
    if (options.truth.rateLimit) options.traffic.count(Date.now())
  })
  app.setErrorHandler((error, _request, reply) => sendError(error, reply))
  app.setNotFoundHandler((request, reply) => sendError(errors.unknownUrl(request.method, pathOf(request)), reply))
  for (const resource of options.resources)
    for (const route of resource.routes)
      app.route({
        method: route.method,
        url: route.path,
        handler: (request, reply) => meet(options, route, request, reply),
      })
}

/** Answers a request, which runs until its answer has left. */
async function meet(options: ApiOptions, route: Route, request: FastifyRequest, reply: FastifyReply) {
  const { truth, traffic } = options
  // `/v1/customers/search` is no customer of that name.
  if (pathOf(request).endsWith('/search')) throw errors.unknownUrl(request.method, pathOf(request))
  const leave = truth.busyKeys
    ? traffic.enter({
        method: request.method,
        path: pathOf(request),
        account: headerOf(request, 'stripe-account') ?? '',
        key: request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined,
      })
    : undefined
  try {
    const answered = answer(options, route, request, reply)
    await traffic.open()
    return answered()
  } finally {
    leave?.()
  }
}

function answer(options: ApiOptions, route: Route, request: FastifyRequest, reply: FastifyReply): () => FastifyReply {
  const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : undefined
  const account = headerOf(request, 'stripe-account') ?? ''
  if (account) reply.header('stripe-account', account)
  if (key) reply.header('idempotency-key', key)
  const isOfHistory = headerOf(request, historyHeader) !== undefined
  const context = options.contextOf(
    { id: String(reply.getHeader('request-id')), idempotencyKey: key ?? null },
    account,
    isOfHistory,
  )
  const connected = account ? context.store.find('account', '', account) : undefined
  if (account && (!connected || 'deleted' in connected)) throw errors.accountInvalid(account)

  const body = typeof request.body === 'string' ? request.body : ''
  const keyed: KeyedRequest | undefined = key
    ? { account, key, method: request.method, path: pathOf(request), body }
    : undefined
  const result = context.store.transaction((): Answer & { replayed: boolean } => {
    const before = keyed && replay(context.store, keyed, context.now)
    if (before) return { ...before, replayed: true }
    const work = prepare(options, route, context, parametersOf(request, body), idOf(request))
    const now = outcomeOf(context, work, keyed !== undefined)
    if (keyed) remember(context.store, keyed, now, context.now)
    return { ...now, replayed: false }
  })
  if (result.replayed) reply.header('idempotent-replayed', 'true')
  options.committed()
  return () => reply.status(result.status).send(result.body)
}

/** A declined card is an answer that leaves its traces. Every other refusal undoes the request, and is kept all the same where a key came with it. */
function outcomeOf(context: Context, work: () => object, keyed: boolean): Answer {
  const { store, truth } = context
  store.db.exec('savepoint work')
  try {
    return { status: 200, body: work() }
  } catch (error) {
    if (!(error instanceof StripeError) || (!error.isOutcome && !(keyed && truth.keptRefusals))) throw error
    if (!error.isOutcome) store.db.exec('rollback to work')
    return { status: error.status, body: { error: error.body } }
  } finally {
    store.db.exec('release work')
  }
}

const expandField = { expand: array(string(), { max: 20 }) }

/** Reads the parameters. @returns the work that they ask for: Stripe's endpoint begins there. */
function prepare(options: ApiOptions, route: Route, context: Context, raw: RawObject, id: string): () => object {
  const { expand: rawPaths, ...rest } = raw
  const { expand: paths = [] } = readFields(expandField, rawPaths === undefined ? {} : { expand: rawPaths })
  const params = readFields(route.fields as Fields, rest)
  return () => {
    const result = route.handle(context, params as never, id)
    return paths.length > 0 ? expand(context, options.resources, result, paths) : result
  }
}

/** Query and body count alike: the SDK sends DELETE parameters in the query. */
const parametersOf = (request: FastifyRequest, body: string): RawObject => ({
  ...decodeForm(request.raw.url?.split('?')[1] ?? ''),
  ...decodeForm(body),
})

const idOf = (request: FastifyRequest): string => (request.params as { id?: string }).id ?? ''

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? ''

const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof StripeError && error.body.code === 'lock_timeout') reply.header('stripe-should-retry', 'true')
  if (error instanceof StripeError) return reply.status(error.status).send({ error: error.body })
  if (error instanceof OAuthError)
    return reply.status(400).send({ error: error.code, error_description: error.message })
  const status = (error as { statusCode?: number }).statusCode
  if (status && status < 500) {
    const refused = errors.malformed(error instanceof Error ? error.message : 'The request cannot be read.')
    return reply.status(status).send({ error: refused.body })
  }
  const unexpected = errors.unexpected()
  return reply.status(unexpected.status).send({ error: unexpected.body })
}
