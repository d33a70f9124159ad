import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { readStatement } from '../payments/reconciliation/statement.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import type { Services } from './services.ts'
import { readLink, signLink } from './signed-link.ts'

const downloadPath = '/export-statement/download'

/**
 * `export-statement` → {url}: a link, valid for ten minutes, to the user's own ledger account as CSV. Each line carries its hash:
 * `npm run verify-statement FILE` recomputes them offline.
 */
export const exportStatement = defineFunction({
  name: 'export-statement',
  fields: {},
  run: async ({ person, services, siteOrigin }) => ({
    url: `${siteOrigin}/functions/v1${downloadPath}?token=${signLink(services.secrets.jwtSecret, 'statement link', person.profileId)}`,
  }),
})

/** The link's target. It reads when it is opened, so that no copy is stored anywhere. */
export const statementDownloadRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get(downloadPath, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const { jwtSecret } = services.secrets
    const profileId = typeof token === 'string' ? readLink(jwtSecret, 'statement link', token) : undefined
    if (profileId === undefined) throw functionErrors.exportLinkExpired()
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="statement.csv"')
      .header('cache-control', 'no-store')
      .send(Readable.from(readStatement(services.database, profileId), { objectMode: false }))
  })
}
