import type { FastifyPluginAsync } from 'fastify'
import { type Transform, transformProperties } from '../pictures/transform.ts'
import { requireVersion } from '../require-version.ts'
import { requireLinkLifetime, signedPath, signObject, signObjects, stablePath } from '../sign-object.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const expiresIn = { type: 'integer', minimum: 1 } as const
const oneSchema = {
  params: objectPathSchema,
  body: {
    type: 'object',
    required: ['expiresIn'],
    properties: {
      expiresIn,
      versionId: { type: 'string', maxLength: 100 },
      transform: { type: 'object', properties: transformProperties },
    },
  },
} as const
const manySchema = {
  body: {
    type: 'object',
    required: ['expiresIn', 'paths'],
    properties: {
      expiresIn,
      paths: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', maxLength: 1024 } },
    },
  },
} as const

/**
 * `POST /storage/v1/object/sign/:bucket/*` and, for many, `POST /storage/v1/object/sign/:bucket` (API-STO-10). With `Prefer: stable-links`,
 * many are stable (SCALE-06). That is a preference, because another server of this API doesn't know it and signs as always.
 */
export const signObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts: { links } }) => {
  app.post<{ Params: ObjectPath; Body: { expiresIn: number; versionId?: string; transform?: Transform } }>(
    '/object/sign/:bucket/*',
    { schema: oneSchema },
    async ({ params, body, caller, db }) => {
      requireLinkLifetime(caller, body.expiresIn)
      await requireVersion(db, { bucket: params.bucket, name: params['*'] }, body.versionId)
      return { signedURL: await signObject(db, links, { bucket: params.bucket, name: params['*'], ...body }) }
    },
  )
  app.post<{ Params: { bucket: string }; Body: { expiresIn: number; paths: string[] } }>(
    '/object/sign/:bucket',
    { schema: manySchema },
    async ({ params, body, caller, db, headers }) => {
      requireLinkLifetime(caller, body.expiresIn)
      const sign = headers.prefer === 'stable-links' ? stablePath : signedPath
      return signObjects(db, links, params.bucket, body.paths, body.expiresIn, sign)
    },
  )
}
