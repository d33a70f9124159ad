import type { FastifyPluginAsync } from 'fastify'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { findObjects } from '../object-queries.ts'
import { removeObject, removeObjects } from '../remove-objects.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const manySchema = {
  body: {
    type: 'object',
    required: ['prefixes'],
    properties: {
      prefixes: {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        items: {
          anyOf: [
            { type: 'string', maxLength: 1024 },
            {
              type: 'object',
              required: ['path', 'versionId'],
              properties: { path: { type: 'string', maxLength: 1024 }, versionId: { type: 'string', maxLength: 100 } },
            },
          ],
        },
      },
    },
  },
} as const

type Entry = string | { readonly path: string; readonly versionId: string }

/** Only the current version exists. Any other is skipped silently, like a missing path. */
async function namedByVersion(db: CallerDb, bucket: string, entries: readonly Entry[]): Promise<string[]> {
  const wanted = entries.filter((entry) => typeof entry !== 'string')
  if (wanted.length === 0) return []
  const found = await findObjects(
    db,
    bucket,
    wanted.map(({ path }) => path),
  )
  const versions = new Map(found.map(({ name, version }) => [name, version]))
  return wanted.filter(({ path, versionId }) => versions.get(path) === versionId).map(({ path }) => path)
}

/** `DELETE /storage/v1/object/:bucket` with a list of paths, and `DELETE /storage/v1/object/:bucket/*` (API-STO-09). */
export const removeObjectsRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  app.delete<{ Params: { bucket: string }; Body: { prefixes: Entry[] } }>(
    '/object/:bucket',
    { schema: manySchema },
    async ({ params, body, db }) => {
      const named = await namedByVersion(db, params.bucket, body.prefixes)
      const names = body.prefixes.filter((entry) => typeof entry === 'string')
      return removeObjects(db, parts, params.bucket, [...names, ...named])
    },
  )
  app.delete<{ Params: ObjectPath }>(
    '/object/:bucket/*',
    { schema: { params: objectPathSchema } },
    async ({ params, db }) => {
      await removeObject(db, parts, params.bucket, params['*'])
      return { message: 'Successfully deleted' }
    },
  )
}
