import type { RequestListener } from 'node:http'
import type { ResponseObservers } from '../http/response-observers.ts'
import { RestEngine } from './engine.ts'
import { buildRestHandler } from './handler.ts'
import type { Services } from './services.ts'

export type RestApi = {
  /** Answers every request whose URL `isRestUrl` accepts. */
  readonly handle: RequestListener
  /** Listens for changes of the schema. */
  start(): void
  close(): Promise<void>
}

/** `/rest/v1`: every table, view, and function of the exposed schemas, with PostgREST's protocol (API-REST). */
export function buildRestApi(services: Services, observers: ResponseObservers): RestApi {
  const engine = new RestEngine(services)
  return {
    handle: buildRestHandler(services, engine, observers),
    start: () => void engine.catalog.listen(),
    close: () => engine.catalog.close(),
  }
}
