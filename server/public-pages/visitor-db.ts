import type { FastifyRequest } from 'fastify'
import { clientKey } from '../http/client-address.ts'
import { anonymous } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { Statement } from '../postgres/sql.ts'
import type { Services } from './services.ts'

/** The database as a visitor sees it. What a request costs counts for its address, as in rest/v1. */
export function visitorDb({ database, trustsProxy }: Services, request: FastifyRequest): CallerDb {
  const bounds = { client: clientKey(request.raw, trustsProxy), maxBytes: undefined }
  return {
    rows: async <Row>(statement: Statement) => (await database.run(anonymous, statement, {}, bounds)).rows as Row[],
  }
}
