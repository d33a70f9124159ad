import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { clientAddress, type TrustsProxy } from '../http/client-address.ts'
import { errors, GatewayError } from '../http/errors.ts'
import { Connection } from './connection.ts'
import { limits } from './connection-limits.ts'
import { realtimeErrors } from './errors.ts'
import { isVersion } from './frame.ts'
import type { RealtimeParts } from './realtime-parts.ts'
import { renderError } from './render-error.ts'

const lookAroundMs = 1_000

/** `/realtime/v1/websocket`: takes over connections from HTTP. */
export class WebSocketApi {
  readonly #parts: RealtimeParts
  readonly #connections = new Set<Connection>()
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: limits.maxFrameBytes, perMessageDeflate: false })
  readonly #timer: NodeJS.Timeout

  readonly #trustsProxy: TrustsProxy

  constructor(parts: RealtimeParts, trustsProxy: TrustsProxy) {
    this.#parts = parts
    this.#trustsProxy = trustsProxy
    this.#timer = setInterval(() => this.#lookAround(), lookAroundMs).unref()
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  listen(server: Server) {
    server.on('upgrade', (request, socket, head) => {
      // Nothing else handles errors here: an uncaught one would end the whole process.
      socket.on('error', () => undefined)
      const url = URL.parse(request.url ?? '/', 'http://localhost') // null for `//`, which isn't an address
      if (url?.pathname === '/realtime/v1/websocket') return this.#upgrade(url, request, socket, head)
      // Left to any other upgrade handler; without one it would hang.
      if (server.listenerCount('upgrade') === 1) refuse(socket, errors.notFound(url?.pathname ?? '/'))
    })
  }

  #upgrade(url: URL, request: IncomingMessage, socket: Duplex, head: Buffer) {
    try {
      const key = url.searchParams.get('apikey') ?? request.headers.apikey
      // Unlike a request, a connection needs an API key, which a visitor's channels read as.
      const caller = this.#parts.callers.fromKey(typeof key === 'string' ? key : '')
      const version = url.searchParams.get('vsn') ?? '1.0.0'
      if (!isVersion(version)) throw realtimeErrors.unknownVersion()
      const { allowances } = this.#parts
      if (this.#connections.size >= allowances.settings.maxConnections) throw realtimeErrors.tooManyConnections()
      const address = allowances.ofAddress(clientAddress(request, this.#trustsProxy))
      if (address.connections >= address.mostConnections) {
        throw realtimeErrors.tooManyConnectionsOfAddress()
      }
      // Costs as much as a join.
      if (!address.joins.take()) throw realtimeErrors.connectsTooOften()
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new Connection(webSocket, version, caller, address, this.#parts)
        this.#connections.add(connection)
        address.connections += 1
        webSocket.on('close', () => {
          this.#connections.delete(connection)
          address.connections -= 1
        })
      })
    } catch (error) {
      refuse(socket, error)
    }
  }

  /** Ends all channels of this user (auth.users.id) on this node. */
  endOf(userId: string, reason: string) {
    for (const connection of this.#connections) connection.endOf(userId, reason)
  }

  close() {
    clearInterval(this.#timer)
    for (const connection of this.#connections) connection.terminate()
  }

  #lookAround() {
    const now = Date.now()
    for (const connection of this.#connections) {
      if (connection.isSilent) connection.terminate(1001, 'No heartbeat')
      else connection.endExpired(now)
    }
  }
}

function refuse(socket: Duplex, error: unknown) {
  const known =
    error instanceof GatewayError ? error : new GatewayError(500, 'internal', 'Something went wrong on our side.')
  const { status, body } = renderError(known)
  const text = JSON.stringify(body)
  const headers = {
    ...known.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}
