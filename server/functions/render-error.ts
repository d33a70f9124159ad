import type { ApiShape } from '../http/api.ts'
import { FunctionError } from './errors.ts'

/** Rejected before any function ran: because of the key, the token, or an unknown function. */
const relayCodes = new Set([
  'invalid_api_key',
  'bad_jwt',
  'jwt_expired',
  'session_ended',
  'unknown_function',
  'not_found',
])

/**
 * `{ success: false, error, code, field? }` with a fitting status. The functions client distinguishes two failures by the header
 * `x-relay-error`: the call never reached a function (FunctionsRelayError), or the function rejected it (FunctionsHttpError).
 * Contract: @supabase/functions-js `src/FunctionsClient.ts`.
 */
export const renderError: ApiShape['renderError'] = (error) => {
  const own = error instanceof FunctionError ? error : undefined
  return {
    status: error.status,
    ...(relayCodes.has(error.code) && { headers: { 'x-relay-error': 'true' } }),
    body: {
      success: false,
      error: error.message,
      code: error.code,
      ...(own?.field !== undefined && { field: own.field }),
      ...(error.details !== undefined && { details: error.details }),
      ...own?.more,
    },
  }
}
