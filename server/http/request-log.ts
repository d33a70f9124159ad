import fastifyPlugin from 'fastify-plugin'

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
  app.addHook('onResponse', (request, reply, done) => {
    done()
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
  })
})
