import type { FastifyPluginAsync } from 'fastify'
import { serviceRole } from '../../postgres/caller.ts'
import { storageErrors } from '../errors.ts'

/**
 * What the client knows and this product does not have: analytics buckets (Iceberg), vector buckets, and a CDN to purge. Answered as
 * storage-api answers where a feature is off, so that a client can tell that from a mistake in the path.
 */
export const notEnabledRoutes: FastifyPluginAsync = async (app) => {
  app.removeAllContentTypeParsers() // whatever comes with it, the answer is the same
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
  // Versions and rules for old ones: here an object is what it is now.
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
