import type { ServerResponse } from 'node:http'
import fastifyPlugin from 'fastify-plugin'
import helmet, { type HelmetOptions } from 'helmet'

/**
 * Helmet's headers on every Fastify response. They depend only on the configuration, so they are created once: Helmet itself writes
 * and checks the content policy for each request. rest/v1 has fewer, because the full set is longer than most rows.
 */
export const securityHeaders = fastifyPlugin(async (app, options: HelmetOptions) => {
  const headers = collectHeaders(options)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
})

/** The headers that Helmet would set. */
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
