import type { FastifyBaseLogger } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ResponseObservers } from './response-observers.ts'

/** The log levels at which the lines are written; at others they aren't even built. */
const writtenAt = ['trace', 'debug', 'info']

/** One line for each response. It contains neither headers nor the query, which may carry keys, tokens, and signed links. */
export function logRequests(log: FastifyBaseLogger, observers: ResponseObservers): void {
  if (!writtenAt.includes(log.level)) return
  observers.add(({ requestId, method, url, status, ms, address }) =>
    log.info(
      { requestId, method, path: url.split('?')[0], status, ms: Math.round(ms * 10) / 10, address: address() },
      'request',
    ),
  )
}

/** The request's id in the response, so that a user's report can be found in the log. */
export const requestIds = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })
})
