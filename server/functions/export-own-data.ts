import type { FastifyPluginAsync } from 'fastify'
import { sql } from '../postgres/sql.ts'
import type { DoorOptions } from '../services.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { readLink, signLink } from './signed-link.ts'

const downloadPath = '/export-own-data/download'

/** `export-own-data` → {url} (API-FN-15, STAT-03): a link, good for ten minutes, to a copy of what the person may read about themselves. */
export const exportOwnData = defineFunction({
  name: 'export-own-data',
  fields: {},
  run: async ({ person, services, siteOrigin }) => ({
    url: `${siteOrigin}/functions/v1${downloadPath}?token=${signLink(services.secrets.jwtSecret, 'data export link', person.userId)}`,
  }),
})

/** Where that link leads. It is read with the person's own rights when it is opened, so that nothing is kept anywhere. */
export const exportDownloadRoute: FastifyPluginAsync<DoorOptions> = async (app, { services }) => {
  app.get(downloadPath, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const userId =
      typeof token === 'string' ? readLink(services.secrets.jwtSecret, 'data export link', token) : undefined
    if (userId === undefined) throw functionErrors.exportLinkExpired()
    const claims = { sub: userId, role: 'authenticated' }
    const [copy] = await services.database
      .as({ role: 'authenticated', claims })
      .rows<{ data: { profile: object | null } }>(sql`select public.export_own_data() as data`)
    if (!copy?.data.profile) throw functionErrors.profileMissing() // deleted since the link was made
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(copy.data, null, 2))
  })
}
