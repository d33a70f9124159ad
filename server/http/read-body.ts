import type { IncomingMessage } from 'node:http'
import type { GatewayError } from './errors.ts'

/** GET and HEAD have no meaningful body (RFC 9110, 9.3.1). */
export const readsBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * The whole body. Never settles if the client disconnects: nobody is left to answer, and half a request must have no effect.
 * @throws what `tooLarge` creates, as soon as the body exceeds `maxBytes`.
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
