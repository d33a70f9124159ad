import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** What may be said of a request whose answer has gone. */
export type Answered = {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly ms: number
  /** Of the client, behind a trusted proxy. */
  address(): string
}

type Listener = (answered: Answered) => void

const listeners = new WeakMap<Server, Listener[]>()
const workedBefore = new WeakMap<IncomingMessage, number>()

/** Tells `listener` of every answer of the app's server. */
export function onAnswered(app: FastifyInstance, listener: Listener): void {
  listeners.set(app.server, [...listenersOf(app.server), listener])
  app.addHook('onResponse', (request, reply, done) => {
    done()
    listener({
      requestId: request.id,
      method: request.method,
      url: request.url,
      status: reply.statusCode,
      ms: reply.elapsedTime + (workedBefore.get(request.raw) ?? 0),
      address: () => request.ip,
    })
  })
}

/** Those who want to be told of answers that Fastify does not see. */
export function listenersOf(server: Server): readonly Listener[] {
  return listeners.get(server) ?? []
}

/** Of a request that Fastify gets late. @param ms how long it has been at work. */
export function addTime(request: IncomingMessage, ms: number): void {
  workedBefore.set(request, ms)
}
