import fastifyPlugin from 'fastify-plugin'

/** A response that was sent. */
export type SentResponse = {
  readonly requestId: string
  readonly method: string
  readonly url: string
  /** The pattern that the path matched, for example `/rest/v1/:name`. */
  readonly route: string
  readonly status: number
  readonly ms: number
  /** The client's address, behind a trusted proxy. */
  address(): string
}

export type ResponseObserver = (response: SentResponse) => void

/** The metrics and the request log: called once for each response, whether Fastify or rest/v1 sent it. */
export class ResponseObservers {
  readonly #observers: ResponseObserver[] = []

  add(observer: ResponseObserver): void {
    this.#observers.push(observer)
  }

  get isEmpty(): boolean {
    return this.#observers.length === 0
  }

  notify(response: SentResponse): void {
    for (const observer of this.#observers) observer(response)
  }
}

/** Reports what Fastify sends. */
export const observedResponses = fastifyPlugin(async (app, { observers }: { observers: ResponseObservers }) => {
  app.addHook('onResponse', (request, reply, done) => {
    done()
    observers.notify({
      requestId: request.id,
      method: request.method,
      url: request.url,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
      address: () => request.ip,
    })
  })
})
