import type { FastifyPluginAsync } from 'fastify'
import {
  type BucketPage,
  type BucketSettings,
  deleteBucket,
  findBucket,
  insertBucket,
  listBuckets,
  updateBucket,
} from '../bucket-queries.ts'
import { storageErrors } from '../errors.ts'
import { requireBucketName } from '../object-key.ts'
import { parseFileSize } from '../parse-file-size.ts'
import { emptyBucket } from '../remove-objects.ts'
import type { StorageParts } from '../storage-parts.ts'

// null comes first: the validator would coerce it to 0, or to a list of one, before it tried null.
const settings = {
  public: { type: 'boolean' },
  file_size_limit: { anyOf: [{ type: 'null' }, { type: 'integer' }, { type: 'string' }] },
  allowed_mime_types: {
    anyOf: [{ type: 'null' }, { type: 'array', items: { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' } }],
  },
} as const
const createSchema = {
  body: {
    type: 'object',
    required: ['name'],
    properties: {
      id: { type: 'string' },
      name: { type: 'string' },
      type: { type: 'string' },
      versioning_status: { type: 'string' },
      ...settings,
    },
  },
} as const
const updateSchema = { body: { type: 'object', properties: settings } } as const
const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      offset: { type: 'integer', minimum: 0, default: 0 },
      search: { type: 'string', default: '' },
      sortColumn: { type: 'string', enum: ['id', 'name', 'created_at', 'updated_at'], default: 'name' },
      sortOrder: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
    },
  },
} as const

type OneBucket = { Params: { id: string } }
type Settings = { public?: boolean; file_size_limit?: number | string | null; allowed_mime_types?: string[] | null }

/** `/storage/v1/bucket` (API-STO-06, API-STO-07, API-STO-08). The database gives buckets to the service alone. */
export const bucketRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { database, rowCache } = parts
  app.get<{ Querystring: BucketPage }>('/bucket', { schema: listSchema }, async ({ db, query }) =>
    listBuckets(db, query),
  )

  app.get<OneBucket>('/bucket/:id', async ({ db, params }) => {
    const bucket = await findBucket(db, params.id)
    if (!bucket) throw storageErrors.noSuchBucket()
    return bucket
  })

  app.post<{ Body: Settings & { id?: string; name: string; type?: string; versioning_status?: string } }>(
    '/bucket',
    { schema: createSchema },
    async ({ db, body }) => {
      if (body.type === 'ANALYTICS') throw storageErrors.featureNotEnabled('iceberg')
      if (body.versioning_status === 'ENABLED') throw storageErrors.featureNotEnabled('versioning')
      const id = requireBucketName(body.id ?? body.name)
      await insertBucket(db, id, readSettings(body))
      return { name: id }
    },
  )

  app.put<OneBucket & { Body: Settings }>('/bucket/:id', { schema: updateSchema }, async ({ db, params, body }) => {
    if (!(await updateBucket(db, params.id, readSettings(body)))) throw storageErrors.noSuchBucket()
    rowCache.forget(params.id)
    return { message: 'Successfully updated' }
  })

  app.post<OneBucket>('/bucket/:id/empty', async ({ db, params }) => {
    // Checked as the caller, done as the service: a caller who may see the bucket may empty it, and no policy keeps an object in it.
    if (!(await findBucket(db, params.id))) throw storageErrors.noSuchBucket()
    await emptyBucket(database.service, parts, params.id)
    return { message: 'Successfully emptied' }
  })

  app.delete<OneBucket>('/bucket/:id', async ({ db, params }) => {
    if (!(await deleteBucket(db, params.id))) throw storageErrors.noSuchBucket()
    rowCache.forget(params.id)
    return { message: 'Successfully deleted' }
  })
}

function readSettings({ file_size_limit: limit, ...rest }: Settings): BucketSettings {
  return {
    ...(rest.public !== undefined && { public: rest.public }),
    ...(rest.allowed_mime_types !== undefined && { allowed_mime_types: rest.allowed_mime_types }),
    ...(limit !== undefined && { file_size_limit: limit === null ? null : parseFileSize(limit) }),
  }
}
