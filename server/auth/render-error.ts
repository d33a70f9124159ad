import type { FastifyRequest } from 'fastify'
import type { GatewayError } from '../http/errors.ts'
import { renderOAuthError, speaksOAuth } from './oauth-server/oauth-error.ts'

const versionHeader = 'x-supabase-api-version'
const codesAsStrings = '2024-01-01'

/**
 * auth/v1's error format (supabase/auth `internal/api/errors.go`). Clients that name API version 2024-01-01 or later
 * get `{ code, message }` and the version echoed; older ones `{ code: status, error_code, msg }`.
 */
export function renderError(error: GatewayError, request: FastifyRequest) {
  if (speaksOAuth(request)) return renderOAuthError(error)
  const { status } = error
  const code = knownCodes[error.code] ?? error.code
  const message = sentenceOf(error)
  const reasons = code === 'weak_password' ? { weak_password: { reasons: [error.details ?? 'length'] } } : {}
  return readsStringCodes(request)
    ? { status, headers: { [versionHeader]: codesAsStrings }, body: { code, message, ...reasons } }
    : { status, body: { code: status, error_code: code, msg: message, ...reasons } }
}

/** An invalid token gets GoTrue's message, which clients compare. */
function sentenceOf({ status, code, message, details }: GatewayError): string {
  if (status !== 401 || (code !== 'bad_jwt' && code !== 'jwt_expired')) return message
  return `invalid JWT: unable to parse or verify signature, ${details ?? message}`
}

function readsStringCodes(request: FastifyRequest): boolean {
  const version = request.headers[versionHeader]
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= codesAsStrings
}

/** The codes that all APIs share, under the names auth-js knows. */
const knownCodes: Readonly<Record<string, string>> = {
  jwt_expired: 'bad_jwt',
  internal: 'unexpected_failure',
}
