import type { FastifyRequest } from 'fastify'
import type { GatewayError } from '../../http/errors.ts'

/** Error codes of RFC 6749 section 5.2, RFC 6749 section 4.1.2.1 and RFC 8707. */
const oauthCodes: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'unsupported_grant_type',
])

/** Where other applications' OAuth libraries read the response: they expect RFC 6749's format, not GoTrue's. */
export function speaksOAuth({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url.split('?')[0] === '/auth/v1/oauth/token'
}

export function renderOAuthError({ status, code, message }: GatewayError) {
  return { status, body: { error: oauthCodeOf(status, code), error_description: message } }
}

function oauthCodeOf(status: number, code: string): string {
  if (oauthCodes.has(code)) return code
  if (status === 429 || status === 503) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}
