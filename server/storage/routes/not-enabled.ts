import type { FastifyPluginAsync } from 'fastify'
import { serviceRole } from '../../postgres/caller.ts'
import { storageErrors } from '../errors.ts'

/**
 * Features of the client that this product doesn't have: analytics buckets (Iceberg), vector buckets, and a CDN to purge. The answer is
 * storage-api's for a disabled feature, so that a client can tell it from a mistake in the path.
 */
export const notEnabledRoutes: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers() // the answer doesn't depend on the body
  app.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  for (const [path, feature] of [
    ['/iceberg/*', 'iceberg'],
    ['/vector/*', 'vector'],
  ] as const) {
    app.all(path, async () => {
      throw storageErrors.featureNotEnabled(feature)
    })
  }
  // Versions and their lifecycle rules: an object has only its current version.
  app.route({
    method: ['GET', 'PUT', 'DELETE'],
    url: '/bucket/:id/lifecycle',
    handler: async () => {
      throw storageErrors.featureNotEnabled('lifecycle')
    },
  })
  app.delete('/cdn/*', async ({ caller }) => {
    throw caller.role === serviceRole.role
      ? storageErrors.featureNotEnabled('purgeCache')
      : storageErrors.accessDenied('Purging the cache needs the service key')
  })
}
