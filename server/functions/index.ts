import { buildApi } from '../http/api.ts'
import { compressedAnswers } from '../http/compress.ts'
import { functions } from './all-functions.ts'
import { countPageViewRoute } from './count-page-view.ts'
import { functionErrors } from './errors.ts'
import { exportDownloadRoute } from './export-own-data.ts'
import { statementDownloadRoute } from './export-statement.ts'
import { fromDatabase } from './from-database.ts'
import { renderError } from './render-error.ts'
import type { Services } from './services.ts'
import { stripeWebhookRoute } from './stripe-webhook.ts'
import { unsubscribeRoute } from './unsubscribe-email.ts'

/** A body is a few names and numbers. */
const bodyLimitBytes = 64 * 1024

/** `/functions/v1` (API-FN): one POST for each function of the table, and the webhook for the payment provider. */
export const functionsApi = buildApi<Services>({
  renderError,
  fromDatabase,
  routes: async (app, services) => {
    // Bodies stay text: a function reads its own fields, and the webhook's signature covers the exact bytes.
    app.removeAllContentTypeParsers()
    await app.register(compressedAnswers, { compressor: services.compressor })
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    app.addHook('preHandler', async ({ caller }) => {
      if (caller.claims.client_id !== undefined) throw functionErrors.notForApps()
    })

    await app.register(stripeWebhookRoute, { services })
    await app.register(exportDownloadRoute, { services })
    await app.register(statementDownloadRoute, { services })
    await app.register(unsubscribeRoute, { services })
    await app.register(countPageViewRoute, { services })
    for (const { name, handle } of functions) {
      app.post(`/${name}`, { bodyLimit: bodyLimitBytes }, (request) => handle(request, services))
      app.route({ method: ['GET', 'PUT', 'PATCH', 'DELETE'], url: `/${name}`, handler: refuseMethod })
    }
    app.all('/*', async (request) => {
      throw functionErrors.unknownFunction((request.params as { '*': string })['*'])
    })
  },
})

async function refuseMethod(): Promise<never> {
  throw functionErrors.wrongMethod()
}
