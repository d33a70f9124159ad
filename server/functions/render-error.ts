import type { ApiShape } from '../http/api.ts'
import { FunctionError } from './errors.ts'

/** Refused before any function ran: by the key, the token, or because there is no such function. */
const relayCodes = new Set([
  'invalid_api_key',
  'bad_jwt',
  'jwt_expired',
  'session_ended',
  'unknown_function',
  'not_found',
])

/**
 * `{ success: false, error, code, field? }` with the status that fits. The functions client tells two failures apart by the header
 * `x-relay-error`: the call never reached a function (FunctionsRelayError), or the function refused it (FunctionsHttpError).
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
