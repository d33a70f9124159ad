import type { FastifyInstance } from 'fastify'
import { allowSlowBody } from '../http/request-guard.ts'

/**
 * Lets the routes of a scope receive raw bodies of any type: nothing is parsed, nothing is buffered, and only their own pace limits
 * their time. A form has a time limit until its file begins (incoming-file.ts), because its fields are buffered.
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
