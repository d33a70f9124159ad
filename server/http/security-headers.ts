import type { ServerResponse } from 'node:http'
import fastifyPlugin from 'fastify-plugin'
import helmet, { type HelmetOptions } from 'helmet'

/**
 * Helmet's headers on every answer. They depend on the configuration alone, so they are made once: Helmet itself writes and checks the
 * content policy anew for each request. Rows get the few that mean something to whoever reads data: all of them are longer than most rows.
 */
export const securityHeaders = fastifyPlugin(
  async (app, { pages, rows }: { pages: HelmetOptions; rows: HelmetOptions }) => {
    const ofPages = collectHeaders(pages)
    const ofRows = collectHeaders(rows)
    app.addHook('onRequest', (request, reply, done) => {
      reply.headers(request.url.startsWith('/rest/v1/') ? ofRows : ofPages)
      done()
    })
  },
)

/** What Helmet would set. */
export function collectHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => undefined,
  }
  helmet(options)({} as never, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error
  })
  return headers
}
