import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../../config.ts'
import type { PlainResponse } from '../../http/response-writer.ts'
import type { Caller } from '../../postgres/caller.ts'
import type { CatalogCache } from '../catalog/catalog-cache.ts'
import { restErrors } from '../errors.ts'
import { describeApi } from '../open-api.ts'
import { parseAccept } from '../parse/accept.ts'
import { negotiate } from '../resolve/media-type.ts'
import type { Services } from '../services.ts'

/** @throws GatewayError 401, 403 or 404. */
function requireMayDescribe(mode: Config['apiOpenApi'], { role }: Caller) {
  if (mode === 'disabled') throw restErrors.noDescription()
  if (mode === 'everyone' || role === 'service_role') return
  throw role === 'anon' ? restErrors.describedAnonymously() : restErrors.describedToService()
}

/** `GET /rest/v1/`: the OpenAPI description of the exposed schema. */
export async function respondWithDescription(
  { config, siteUrl }: Pick<Services, 'config' | 'siteUrl'>,
  catalog: CatalogCache,
  caller: Caller,
  headers: IncomingHttpHeaders,
): Promise<PlainResponse> {
  requireMayDescribe(config.apiOpenApi, caller)
  const media = negotiate(parseAccept(headers.accept), { openapi: true })
  const profile = headers['accept-profile']
  const schema = typeof profile === 'string' ? profile : (config.apiSchemas[0] ?? 'public')
  if (!config.apiSchemas.includes(schema)) throw restErrors.schema(schema, config.apiSchemas)
  return {
    status: 200,
    headers: { 'content-type': media.contentType, ...(typeof profile === 'string' && { 'content-profile': schema }) },
    body: JSON.stringify(describeApi(await catalog.get(), schema, siteUrl())),
  }
}
