import fastifyPlugin from 'fastify-plugin'
import { onAnswered } from './answered.ts'

/** Levels of logging at which the lines are seen; at others they are not even made. */
const writtenAt = ['trace', 'debug', 'info']

/**
 * One line for each answered request, and its id in the answer, so that a person's report can be found in the log. Neither
 * headers nor the query are logged: both may carry keys, tokens and signed links.
 */
export const requestLog = fastifyPlugin(async (app) => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })
  if (!writtenAt.includes(app.log.level)) return
  onAnswered(app, ({ requestId, method, url, status, ms, address }) =>
    app.log.info(
      { requestId, method, path: url.split('?')[0], status, ms: Math.round(ms * 10) / 10, address: address() },
      'request',
    ),
  )
})
