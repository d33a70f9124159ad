import type { FastifyBaseLogger } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ResponseObservers, SentResponse } from './response-observers.ts'

/** The log levels at which the lines are written; at others they aren't even built. */
const writtenAt = ['trace', 'debug', 'info']

/** The route of private feeds. The last part of its path opens the feed, so it is a secret (RSS-02). */
const secretRoute = '/feeds/:file'

/** Proxies ask every two seconds whether the node is well, and only a no is news. */
const isGoodHealth = ({ route, status }: SentResponse) => status < 400 && route?.startsWith('/health/') === true

/** One line for each response. It contains neither headers nor the query, which may carry keys, tokens, and signed links. */
export function logRequests(log: FastifyBaseLogger, observers: ResponseObservers): void {
  if (!writtenAt.includes(log.level)) return
  observers.add((response) => {
    if (isGoodHealth(response)) return
    const { requestId, method, status, ms, address } = response
    log.info(
      { requestId, method, path: pathOf(response), status, ms: Math.round(ms * 10) / 10, address: address() },
      'request',
    )
  })
}

/** The token in the path of a stable link (storage/sign-object.ts): every signed token begins like this. */
const tokenPart = /\/eyJ[^/]*/g

/** Also of a misspelled address, which no route matches, only the part that isn't secret. */
function pathOf({ url, route }: Pick<SentResponse, 'url' | 'route'>): string | undefined {
  if (route === secretRoute) return route
  return url
    .split('?')[0]
    ?.replace(/\/feeds\b.*/is, secretRoute)
    .replace(tokenPart, '/:token')
}

/** The request's id in the response, so that a user's report can be found in the log. */
export const requestIds = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })
})
