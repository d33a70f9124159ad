import type { IncomingMessage, ServerResponse } from 'node:http'
import { clientKey, type TrustsProxy } from './client-address.ts'
import { errors } from './errors.ts'

export type BodyLimits = {
  /** Of one address at once. */
  readonly bodyBytesPerAddress: number
  /** Of all clients together. */
  readonly bodyBytes: number
}

/** Smaller bodies aren't counted: the limit on open requests covers them. */
const freeBytes = 16 * 1024

/**
 * Limits the memory of request bodies that are parsed, and so are held until they are complete: a client could open many requests, send
 * nearly all of a body in each, and wait. Files aren't counted, because nobody holds them: they are streamed.
 */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #trustsProxy: TrustsProxy
  readonly #ofAddresses = new Map<string, number>()
  #held = 0

  constructor(limits: BodyLimits, trustsProxy: TrustsProxy) {
    this.#limits = limits
    this.#trustsProxy = trustsProxy
  }

  /**
   * Reserves memory for a body until its request has been answered, or its client is gone: if it left before, nothing is reserved.
   * @param maxBytes the most that is read of it.
   * @throws GatewayError 429 `rate_limited` when this address holds too much already, 503 `overloaded` when all clients together do.
   */
  reserve(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
    const bytes = declaredBytes(request, maxBytes)
    if (bytes <= freeBytes || response.destroyed) return // it has closed, and won't again
    const client = clientKey(request, this.#trustsProxy)
    const held = client === undefined ? 0 : (this.#ofAddresses.get(client) ?? 0)
    const rejection =
      held > 0 && held + bytes > this.#limits.bodyBytesPerAddress
        ? errors.tooManyBodies()
        : this.#held > 0 && this.#held + bytes > this.#limits.bodyBytes
          ? errors.overloaded()
          : undefined
    if (rejection) {
      leaveUnread(request, response)
      throw rejection
    }
    this.#change(client, bytes)
    response.once('close', () => this.#change(client, -bytes))
  }

  #change(client: string | undefined, bytes: number) {
    this.#held += bytes
    if (client === undefined) return
    const held = (this.#ofAddresses.get(client) ?? 0) + bytes
    if (held > 0) this.#ofAddresses.set(client, held)
    else this.#ofAddresses.delete(client)
  }
}

function declaredBytes({ headers }: IncomingMessage, maxBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return maxBytes
  return Math.min(Number(headers['content-length'] ?? 0), maxBytes)
}

/**
 * Ends the connection with the rejection of a large body, which Node would otherwise read whole to find the next request behind it. A
 * smaller rest is read. The connection stays for a moment: closing one with unread bytes resets it, and a client that still sends might
 * then never see the answer.
 */
export function leaveUnread(request: IncomingMessage, response: ServerResponse): void {
  if (declaredBytes(request, Number.POSITIVE_INFINITY) <= discardedBytes) return
  response.shouldKeepAlive = false
  request.pause()
  request.read(0) // Node reads the rest of a request by itself if nobody has begun to read it
  const { socket } = request
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
  }
}
const discardedBytes = 1024 * 1024
const lingerMs = 1_000
