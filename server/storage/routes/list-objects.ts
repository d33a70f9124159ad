import type { FastifyPluginAsync } from 'fastify'
import { type ListOptions, listObjects } from '../list-objects.ts'
import type { StorageParts } from '../storage-parts.ts'

/** The defaults are the specification's (API-STO-18). */
const schema = {
  body: {
    type: 'object',
    properties: {
      prefix: { type: 'string', maxLength: 1024, default: '' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      offset: { type: 'integer', minimum: 0, default: 0 },
      search: { type: 'string', maxLength: 1024, default: '' },
      sortBy: {
        type: 'object',
        default: {},
        properties: {
          column: { type: 'string', enum: ['name', 'created_at', 'updated_at', 'last_accessed_at'], default: 'name' },
          order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        },
      },
    },
  },
} as const

/** `POST /storage/v1/object/list/:bucket` (API-STO-14). */
export const listObjectsRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app) => {
  app.post<{ Params: { bucket: string }; Body: ListOptions }>(
    '/object/list/:bucket',
    { schema },
    async ({ params, body, db }) => listObjects(db, params.bucket, body),
  )
}
