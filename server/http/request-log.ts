import fastifyPlugin from 'fastify-plugin'

/**
 * One line for each answered request, and its id in the answer, so that a person's report can be found in the log. Neither
 * headers nor the query are logged: both may carry keys, tokens and signed links.
 */
export const requestLog = fastifyPlugin(async (app) => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Request-Id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
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
