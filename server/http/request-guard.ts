import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { addressKey, clientKey, type TrustsProxy } from './client-address.ts'
import { apiOf, type Counters } from './counters.ts'
import { isLoopback } from './loopback.ts'
import { isOpenInMaintenance, type Maintenance, maintenancePage } from './maintenance.ts'
import { OpenCount } from './open-count.ts'

export type RequestGuardOptions = {
  readonly config: Pick<Config, 'environment' | 'http' | 'siteUrl' | 'host' | 'operator'>
  readonly maintenance: Maintenance
  readonly counters: Counters
  readonly trustsProxy: TrustsProxy
  readonly log: FastifyBaseLogger
}

type UpgradeListener = (request: IncomingMessage, socket: Socket, head: Buffer) => void

/** The limits that every request passes before its handler runs. */
export type RequestGuard = {
  /** @returns the listener of the HTTP server: `handle` behind the limits. */
  protect(handle: RequestListener): RequestListener
  /** Limits connections and upgrades as well. Call it once the upgrade listeners are registered. */
  watch(server: Server): void
  /** Takes no new connections, and resolves when all open requests have ended, or after `graceMs`. */
  drain(graceMs: number): Promise<void>
}

/**
 * Limits the open requests of one address and the time a body may take. Also checks for maintenance and, in
 * development, the host name of the request.
 */
export function buildRequestGuard({
  config,
  maintenance,
  counters,
  trustsProxy,
  log,
}: RequestGuardOptions): RequestGuard {
  const { maxRequestsPerAddress, maxConnectionsPerAddress, bodyTimeoutMs } = config.http
  const requests = new OpenCount(maxRequestsPerAddress)
  const connections = new OpenCount(maxConnectionsPerAddress)
  const isOwnName = config.environment === 'development' ? buildNameCheck(config) : () => true
  const warnOfProxy = buildProxyWarning(trustsProxy, log)

  const open = new Set<ServerResponse>()
  let watched: Server | undefined
  let isDraining = false
  let onIdle: (() => void) | undefined

  function limitConnections(socket: Socket) {
    const peer = socket.remoteAddress ?? ''
    // One of our proxies has the connections of all its clients.
    if (trustsProxy(peer, 0)) return
    const address = addressKey(peer)
    if (connections.enter(address)) socket.once('close', () => connections.leave(address))
    else {
      counters.countLimited('connection')
      refuseSocket(socket, 429, 'Too many connections from this address.', 1)
    }
  }

  function limitUpgrades(server: Server) {
    const upgrades = server.listeners('upgrade') as UpgradeListener[]
    server.removeAllListeners('upgrade')
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (!isOwnName(request.headers.host)) return refuseSocket(socket, 403, wrongName)
      const closed = maintenance.message
      if (closed !== undefined) return refuseSocket(socket, 503, closed, maintenanceRetrySeconds)
      for (const handle of upgrades) handle(request, socket, head)
    })
  }

  return {
    protect: (handle) => (request, response) => {
      if (!isOwnName(request.headers.host)) return refuse(request, response, 403, wrongName)
      warnOfProxy(request)
      if (isDraining) response.shouldKeepAlive = false
      const client = clientKey(request, trustsProxy)
      const isOneTooMany = client !== undefined && !requests.enter(client)
      open.add(response)
      response.once('close', () => {
        open.delete(response)
        clearTimeout((request as WithTimer)[bodyTimer])
        if (client !== undefined && !isOneTooMany) requests.leave(client)
        if (open.size === 0) onIdle?.()
      })
      if (isOneTooMany) {
        counters.countLimited(apiOf(request.url))
        return refuse(request, response, 429, 'Too many open requests from this address.', 1)
      }
      const closed = isOpenInMaintenance(request.url) ? undefined : maintenance.message
      if (closed !== undefined) return refuseInMaintenance(request, response, closed, config.operator.productName)
      if (hasBody(request)) limitBodyTime(request, response, bodyTimeoutMs)
      handle(request, response)
    },

    watch(server) {
      watched = server
      server.on('connection', limitConnections)
      limitUpgrades(server)
    },

    async drain(graceMs) {
      if (isDraining) return
      isDraining = true
      if (!watched?.listening) return
      watched.close()
      watched.closeIdleConnections()
      if (open.size === 0) return
      for (const response of open) if (!response.headersSent) response.shouldKeepAlive = false
      await new Promise<void>((done) => {
        const timer = setTimeout(done, graceMs)
        onIdle = () => {
          clearTimeout(timer)
          done()
        }
      })
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const bodyTimer = Symbol('body timer')
type WithTimer = IncomingMessage & { [bodyTimer]?: NodeJS.Timeout }

/** A parsed body is held in memory until it is complete, so it must be completed in time. */
function limitBodyTime(request: WithTimer, response: ServerResponse, timeoutMs: number) {
  const timer = setTimeout(() => {
    if (request.complete) return
    const { socket } = request
    if (response.headersSent) socket.destroy()
    else refuseSocket(socket, 408, 'The request body took too long to arrive.')
  }, timeoutMs)
  timer.unref()
  request[bodyTimer] = timer
}

/** Files may arrive slowly: the code that streams one has its own minimum pace (storage/byte-stream.ts). */
export function allowSlowBody(request: WithTimer): void {
  clearTimeout(request[bodyTimer])
}

const wrongName =
  "In development Ovation answers only to this machine's names. Open it by one of them, or set SITE_URL to the address you use."

/** A page of any site can make its own name resolve to this machine (DNS rebinding), but can't make a browser send another name. */
function buildNameCheck({ siteUrl, host }: Pick<Config, 'siteUrl' | 'host'>): (header: string | undefined) => boolean {
  const own = new Set([host, siteUrl === undefined ? host : new URL(siteUrl).hostname])
  return (header = '') => {
    const url = `http://${header}`
    if (header === '' || !URL.canParse(url)) return header === '' // HTTP/1.0 sends none, and browsers don't use it
    const { hostname } = new URL(url)
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
    return isAddress || isLoopback(hostname) || hostname.endsWith('.localhost') || own.has(hostname)
  }
}

/** Logged once, because anyone may send the header. */
function buildProxyWarning(trustsProxy: TrustsProxy, log: FastifyBaseLogger): (request: IncomingMessage) => void {
  let hasWarned = false
  let knownProxy: string | undefined // nearly always the same, and asking costs several microseconds
  return ({ headers, socket }) => {
    if (hasWarned || headers['x-forwarded-for'] === undefined) return
    const peer = socket.remoteAddress ?? ''
    if (peer === knownProxy) return
    if (trustsProxy(peer, 0)) {
      knownProxy = peer
      return
    }
    hasWarned = true
    log.warn(
      { peer },
      'ignored X-Forwarded-For from an address that TRUSTED_PROXIES does not name: if that is your proxy, add it, or all visitors count as one',
    )
  }
}

/** The error in every API's format at once: clients read `message`, `msg`, or `error`. */
const bodyOf = (status: number, message: string) =>
  JSON.stringify({ statusCode: String(status), code: codes[status], error: codes[status], message, msg: message })
const codes: Readonly<Record<number, string>> = {
  403: 'unknown_host',
  408: 'request_timeout',
  429: 'too_many_requests',
  503: 'maintenance',
}
const maintenanceRetrySeconds = 60

/** JSON for programs, a page for browsers. */
function refuseInMaintenance(request: IncomingMessage, response: ServerResponse, message: string, productName: string) {
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (!isPage) return refuse(request, response, 503, message, maintenanceRetrySeconds)
  const page = maintenancePage(productName, message)
  response.writeHead(503, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'retry-after': String(maintenanceRetrySeconds),
  })
  response.end(page)
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  retrySeconds?: number,
) {
  const body = bodyOf(status, message)
  if (retrySeconds !== undefined) response.setHeader('retry-after', retrySeconds)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close', // the rest of the body isn't read
  })
  response.end(body)
  request.resume()
}

/** For a socket without a response, or with an incomplete request. */
function refuseSocket(socket: Socket, status: number, message: string, retrySeconds?: number) {
  const body = bodyOf(status, message)
  const retry = retrySeconds === undefined ? '' : `Retry-After: ${retrySeconds}\r\n`
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Type: application/json; charset=utf-8\r\n${retry}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}
const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}
