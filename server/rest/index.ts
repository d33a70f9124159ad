import type { FastifyInstance } from 'fastify'
import { buildApi } from '../http/api.ts'
import { compressedAnswers } from '../http/compress.ts'
import type { Services } from '../services.ts'
import { fromDatabaseError } from './database-errors.ts'
import { RestEngine } from './engine.ts'
import { restErrors } from './errors.ts'
import { renderError } from './render-error.ts'
import { functionRoutes } from './routes/functions.ts'
import { relationRoutes } from './routes/relations.ts'
import { rootRoute } from './routes/root.ts'
import { openShortWay } from './routes/short-way.ts'

/** `/rest/v1`: every table, view and function of the exposed schemas, in PostgREST's language (API-REST). */
export const restApi = buildApi({
  renderError,
  // The engine translates what a statement refuses; this is for what fails outside of it.
  fromDatabase: (error) => fromDatabaseError(error, true),
  routes,
})

async function routes(app: FastifyInstance, services: Services) {
  const engine = new RestEngine(services)
  const rest = { engine, trustsProxy: services.trustsProxy }
  await app.register(compressedAnswers, { compressor: services.compressor })
  app.addHook('onReady', async () => void engine.catalogue.listen())
  app.addHook('onClose', () => engine.catalogue.close())
  openShortWay(app, engine, services)
  // A body stays as it came: PostgreSQL reads the JSON, and `parse` decides what else is understood.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  await app.register(rootRoute, { engine, services })
  await app.register(functionRoutes, rest)
  await app.register(relationRoutes, rest)
  // Whatever else stands below /rest/v1 is no resource; without this the web app would answer with its page.
  app.all('/*', async () => {
    throw restErrors.path()
  })
}
