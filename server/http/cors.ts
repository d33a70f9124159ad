import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyCorsOptions } from '@fastify/cors'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const maxAgeSeconds = 86_400

// One string: a list would be joined for each response.
const exposedHeaders = [
  'content-range',
  'content-location',
  'content-profile',
  'location',
  'link',
  'preference-applied',
  'range-unit',
  'x-total-count',
  'x-request-id',
  'x-relay-error',
  'x-supabase-api-version',
  'etag',
  'content-length',
  'content-disposition',
  'accept-ranges',
  'upload-offset',
  'upload-length',
  'upload-expires',
  'tus-resumable',
  'tus-version',
  'tus-extension',
  'tus-max-size',
].join(', ')

/** Browser code of other origins may call the API: its permissions depend on its token, never on cookies. */
export const corsOptions: FastifyCorsOptions = {
  origin: '*',
  methods,
  exposedHeaders,
  maxAge: maxAgeSeconds,
  strictPreflight: false,
}

/** The headers that `corsOptions` sets on every response. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders,
}

/** The headers that `corsOptions` adds to the response to a preflight request. */
export function preflightHeaders(request: IncomingHttpHeaders): Record<string, string> {
  const requested = request['access-control-request-headers']
  return {
    'access-control-allow-methods': methods.join(', '),
    ...(requested !== undefined && { 'access-control-allow-headers': requested }),
    'access-control-max-age': String(maxAgeSeconds),
    vary: 'Access-Control-Request-Headers',
    'content-length': '0', // Safari waits for a body without it
  }
}
