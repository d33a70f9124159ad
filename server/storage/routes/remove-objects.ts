import type { FastifyPluginAsync } from 'fastify'
import { removeObject, removeObjects } from '../remove-objects.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const manySchema = {
  body: {
    type: 'object',
    required: ['prefixes'],
    properties: {
      prefixes: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', maxLength: 1024 } },
    },
  },
} as const

/** `DELETE /storage/v1/object/:bucket` with a list of paths, and `DELETE /storage/v1/object/:bucket/*` (API-STO-09). */
export const removeObjectsRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts: { store } }) => {
  app.delete<{ Params: { bucket: string }; Body: { prefixes: string[] } }>(
    '/object/:bucket',
    { schema: manySchema },
    async ({ params, body, db }) => removeObjects(db, store, params.bucket, body.prefixes),
  )
  app.delete<{ Params: ObjectPath }>(
    '/object/:bucket/*',
    { schema: { params: objectPathSchema } },
    async ({ params, db }) => {
      await removeObject(db, store, params.bucket, params['*'])
      return { message: 'Successfully deleted' }
    },
  )
}
