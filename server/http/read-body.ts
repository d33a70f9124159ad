import type { IncomingMessage } from 'node:http'
import type { GatewayError } from './errors.ts'

/** GET and HEAD have no body that means anything (RFC 9110, 9.3.1). */
export const readsBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * The whole body. Never settles when the client breaks off: nobody is left to answer, and nothing may be done for half a request.
 * @throws what `tooLarge` makes, as soon as the body has more than `maxBytes`.
 */
export function readBody(request: IncomingMessage, maxBytes: number, tooLarge: () => GatewayError): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length']) > maxBytes) return reject(tooLarge())
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) reject(tooLarge())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
  })
}
