import type { FastifyInstance } from 'fastify'
import { allowSlowBody } from '../http/request-guard.ts'

/**
 * Has the routes of a scope take bodies as they come, whatever type they claim: nothing is parsed, nothing is buffered, and nothing but
 * their own pace bounds their time. A form is bounded until its file begins (incoming-file.ts), because its fields are kept.
 */
export function takeFiles(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, takesFiles: true }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (!/^multipart\/form-data/i.test(request.headers['content-type'] ?? '')) allowSlowBody(request.raw)
    done()
  })
}
