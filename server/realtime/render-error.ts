import type { GatewayError } from '../http/errors.ts'

/** The API's error shape over HTTP: realtime-js shows `message`. */
export function renderError({ status, code, message }: GatewayError) {
  return { status, body: { code, message } }
}
