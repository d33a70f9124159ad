import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import type { Reading } from '../postgres/reading.ts'
import { sql } from '../postgres/sql.ts'
import { archiveOf, jsonOf, type OwnData, type OwnFile, type OwnRow } from './data-archive.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import type { Services } from './services.ts'
import { readLink, signLink } from './signed-link.ts'

const downloadPath = '/export-own-data/download'

/** `export-own-data` → {url} (API-FN-15, STAT-03): a link, valid for ten minutes, to a ZIP of the user's own data and uploads. */
export const exportOwnData = defineFunction({
  name: 'export-own-data',
  fields: {},
  run: async ({ person, services, siteOrigin }) => ({
    url: `${siteOrigin}/functions/v1${downloadPath}?token=${signLink(services.secrets.jwtSecret, 'data export link', person.userId)}`,
  }),
})

/** The link's target. It reads with the user's own permissions when it is opened, so that no copy is stored anywhere. */
export const exportDownloadRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get(downloadPath, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    const userId =
      typeof token === 'string' ? readLink(services.secrets.jwtSecret, 'data export link', token) : undefined
    if (userId === undefined) throw functionErrors.exportLinkExpired()
    const claims = { sub: userId, role: 'authenticated' }
    const reading = await services.database.read({ role: 'authenticated', claims })
    try {
      const [copy] = await reading.rows<{ data: OwnData }>(sql`select public.open_own_data() as data`)
      if (!copy?.data.profile) throw functionErrors.profileMissing() // deleted since the link was created
      // The files that the copy lists, which is no more than the caller may read. A file of the vault that a post or a message has is in its
      // folder only.
      const files = await reading.rows<OwnFile>(sql`
        select bucket_id as bucket, name as path, version, coalesce((metadata ->> 'size')::bigint, 0)::float8 as size, created_at as "createdAt"
        from storage.objects o
        where path_tokens[1] = ${userId} and version is not null and not (bucket_id = 'vault' and exists (
          select from storage.objects used where used.version = o.version and used.bucket_id <> 'vault' and used.path_tokens[1] = ${userId}))
        order by bucket_id, name`)
      const [record] = await reading.rows<{ head: object }>(sql`select auth.open_message_authors() as head`)
      const documents = [
        { name: 'my-data.json', parts: jsonOf(copy.data, listsOf(reading)) },
        { name: 'message-authors.jsonl', parts: recordOf(record?.head, reading) },
      ]
      const archive = await archiveOf(services.store, documents, files)
      archive.on('close', () => void reading.close()) // the client may have disconnected in the middle
      return reply
        .header('content-type', 'application/zip')
        .header('content-disposition', 'attachment; filename="my-data.zip"')
        .header('cache-control', 'no-store')
        .send(archive)
    } catch (error) {
      await reading.close()
      throw error
    }
  })
}

/** Reads everything that `open_own_data` has opened. */
async function* listsOf(reading: Reading): AsyncGenerator<OwnRow[]> {
  yield* reading.pages<OwnRow>('own_data')
  yield* reading.pages<OwnRow>('own_unseen_data')
}

/**
 * The record of authors as `npm run verify-statement` reads it, one JSON object per line (INBOX-09). It is the last that is read: the files,
 * which may take hours, need no connection to the database.
 */
async function* recordOf(head: unknown, reading: Reading): AsyncGenerator<string, void> {
  try {
    yield `${JSON.stringify(head)}\n`
    for await (const rows of reading.pages<{ item: string }>('own_message_authors'))
      yield rows.map(({ item }) => `${item}\n`).join('')
  } finally {
    await reading.close()
  }
}
