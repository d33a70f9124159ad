import type { IncomingMessage, ServerResponse } from 'node:http'
import { addVary, type Compressor } from './compress.ts'

/** By lower-case name. */
type Headers = Readonly<Record<string, string>>

/** A response that is complete before it is sent. */
export type PlainResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Buffer | undefined
}

const plainText = 'text/plain; charset=utf-8'

/** Sends the responses of a handler that Node calls without Fastify: common headers, request id, length, and compression. */
export class ResponseWriter {
  readonly #commonHeaders: Headers
  readonly #compressor: Compressor

  /** @param commonHeaders for every response; a header of the response itself overrides them. */
  constructor(commonHeaders: Headers, compressor: Compressor) {
    this.#commonHeaders = commonHeaders
    this.#compressor = compressor
  }

  async write(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    { status, headers, body }: PlainResponse,
  ): Promise<void> {
    if (body === undefined || status === 204) {
      const bare = withoutBody(request, status, headers)
      response.writeHead(status, this.#headerList(requestId, bare, {})).end()
      return
    }
    const bytes = Buffer.byteLength(body)
    const contentType = headers['content-type'] ?? plainText
    const added: Record<string, string> = { 'content-type': contentType, 'content-length': String(bytes) }
    let sent = body
    if (this.#compressor.isFor(bytes, contentType, headers['content-encoding'])) {
      added.vary = addVary(headers.vary)
      const compressed = await this.#compressor.compress(body, request.headers['accept-encoding'])
      if (compressed) {
        sent = compressed.body
        added['content-encoding'] = compressed.encoding
        added['content-length'] = String(sent.length)
      }
    }
    response.writeHead(status, this.#headerList(requestId, headers, added)).end(sent)
  }

  /** Alternating names and values, which Node sends as they are. */
  #headerList(requestId: string, headers: Headers, added: Headers): string[] {
    const list = headers['x-request-id'] === undefined ? ['x-request-id', requestId] : []
    for (const name in this.#commonHeaders) {
      if (headers[name] === undefined) list.push(name, this.#commonHeaders[name] as string)
    }
    for (const name in headers) if (added[name] === undefined) list.push(name, headers[name] as string)
    for (const name in added) list.push(name, added[name] as string)
    return list
  }
}

/** A 204 has neither type nor length; otherwise only HEAD and 304 may omit the length of an empty body (RFC 9110, 8.6). */
function withoutBody({ method }: IncomingMessage, status: number, headers: Headers): Headers {
  if (status === 204) {
    const { 'content-type': _type, ...others } = headers
    return others
  }
  return status === 304 || method === 'HEAD' ? headers : { ...headers, 'content-length': '0' }
}
