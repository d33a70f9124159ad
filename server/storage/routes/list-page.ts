import type { FastifyPluginAsync } from 'fastify'
import { listPage, type PageOptions, readCursor, writeCursor } from '../list-page.ts'
import type { StorageParts } from '../storage-parts.ts'

const schema = {
  body: {
    type: 'object',
    properties: {
      prefix: { type: 'string', maxLength: 1024, default: '' },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
      cursor: { type: 'string', maxLength: 4096, default: '' },
      with_delimiter: { type: 'boolean', default: false },
      exactMatch: { type: 'boolean', default: false },
      sortBy: {
        type: 'object',
        default: {},
        properties: {
          column: { type: 'string', enum: ['name', 'created_at', 'updated_at'], default: 'name' },
          order: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        },
      },
    },
  },
} as const

type Body = {
  prefix: string
  limit: number
  cursor: string
  with_delimiter: boolean
  exactMatch: boolean
  sortBy: PageOptions['sortBy']
}

/**
 * `POST /storage/v1/object/list-v2/:bucket` (API-STO-15): by cursor. Only the current version of an object exists, so the options
 * that request older ones change nothing.
 */
export const listPageRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app) => {
  app.post<{ Params: { bucket: string }; Body: Body }>(
    '/object/list-v2/:bucket',
    { schema },
    async ({ params, body, db }) => {
      const { prefix, limit, sortBy, exactMatch } = body
      const { entries, next } = await listPage(db, params.bucket, {
        prefix,
        limit: exactMatch ? 1 : limit, // nothing sorts before the prefix itself
        sortBy: exactMatch ? { column: 'name', order: 'asc' } : sortBy,
        delimited: body.with_delimiter && !exactMatch,
        cursor: body.cursor === '' ? undefined : readCursor(body.cursor),
      })
      if (exactMatch)
        return { hasNext: false, folders: [], objects: entries.filter(({ name }) => name === prefix).map(withKey) }
      return {
        hasNext: next !== undefined,
        folders: entries.filter(({ id }) => id === null).map(({ name }) => ({ name, key: name.replace(/\/$/, '') })),
        objects: entries.filter(({ id }) => id !== null).map(withKey),
        ...(next && { nextCursor: writeCursor(next) }),
      }
    },
  )
}

function withKey<Entry extends { readonly name: string }>(entry: Entry) {
  return { key: entry.name, ...entry }
}
