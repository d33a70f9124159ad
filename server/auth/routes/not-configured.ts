import type { FastifyInstance } from 'fastify'
import { authErrors } from '../errors.ts'

/** Sign-in methods that this installation hasn't set up: each error has the client's own code, never a 404 (API-AUTH-29, D44). */
export function notConfiguredRoutes(app: FastifyInstance) {
  for (const path of ['/oauth/*', '/user/oauth/*']) {
    app.all(path, async () => {
      throw authErrors.providerDisabled('The OAuth server')
    })
  }
}
