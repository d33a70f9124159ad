import type { GatewayError } from '../http/errors.ts'

/** Errors shared by all APIs, with PostgREST's codes (`docs/references/errors.rst`, groups 0 and 3). */
const codes: Readonly<Record<string, { readonly code: string; readonly message?: string }>> = {
  invalid_api_key: { code: 'PGRST301' },
  bad_jwt: { code: 'PGRST301' },
  jwt_expired: { code: 'PGRST303' },
  bad_audience: { code: 'PGRST303' },
  session_ended: { code: 'PGRST303' },
  not_found: { code: 'PGRST125', message: 'Invalid path specified in request URL' },
  bad_json: { code: 'PGRST102' },
  body_too_large: { code: 'PGRST102' },
  unsupported_media_type: { code: 'PGRST102' },
  validation_failed: { code: 'PGRST100' },
  database_unavailable: { code: 'PGRST000' },
  overloaded: { code: 'PGRST003' },
  internal: { code: 'PGRSTX00' },
}

/** `{code, message, details, hint}`, always all four: the official client reads them by name. */
export function renderError({ status, code, message, details, hint }: GatewayError) {
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined
  return {
    status,
    ...(status === 401 && { headers: { 'WWW-Authenticate': challenge(code, message) } }),
    body: {
      code: known?.code ?? code,
      details: code === 'PGRST201' && details !== undefined ? (JSON.parse(details) as unknown) : (details ?? null),
      hint: hint ?? null,
      message: known?.message ?? message,
    },
  }
}

const refusedTokens = new Set(['bad_jwt', 'jwt_expired', 'bad_audience', 'session_ended', 'invalid_api_key'])

/** Gives the reason for an invalid token; without a token it only requests one. */
function challenge(code: string, message: string): string {
  if (!refusedTokens.has(code)) return 'Bearer'
  return `Bearer error="invalid_token", error_description=${JSON.stringify(message.replace(/[^\x20-\x7e]/g, '?'))}`
}
