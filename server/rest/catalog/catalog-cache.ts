import type { FastifyBaseLogger } from 'fastify'
import { Listener } from '../../postgres/listener.ts'
import { restErrors } from '../errors.ts'
import { loadCatalog } from './load.ts'
import type { Catalog } from './types.ts'

/**
 * Caches the catalog. It is loaded on first use and again on `notify pgrst, 'reload schema'`, which a migration sends. While the listening
 * connection is down, notifications may be missed, so the catalog is evicted when it is back.
 */
export class CatalogCache {
  readonly #ownerUrl: string
  readonly #schemas: readonly string[]
  readonly #listener: Listener
  #loading: Promise<Catalog> | undefined
  #loaded: Catalog | undefined
  /** Serves while a new one can't be read, because the primary is away. */
  #before: Catalog | undefined

  constructor({ ownerUrl, schemas, log }: { ownerUrl: string; schemas: readonly string[]; log: FastifyBaseLogger }) {
    this.#ownerUrl = ownerUrl
    this.#schemas = schemas
    this.#listener = new Listener({
      ownerUrl,
      channel: 'pgrst',
      log,
      onNotification: (payload) => {
        if (payload === 'reload schema' || !payload) this.reload()
      },
    })
  }

  /** The result of `get` when it is already loaded, which is nearly always. */
  get loaded(): Catalog | undefined {
    return this.#loaded
  }

  /** The same object until a reload. @throws GatewayError PGRST002 (503) while the database can't be read for the first time. */
  async get(): Promise<Catalog> {
    this.#loading ??= loadCatalog(this.#ownerUrl, this.#schemas)
    const loading = this.#loading
    try {
      const catalog = await loading
      if (this.#loading === loading) this.#loaded = this.#before = catalog
      return catalog
    } catch (cause) {
      // The next request tries again.
      if (this.#loading === loading) this.#loading = undefined
      if (this.#before) return this.#before
      throw restErrors.noCatalog(cause)
    }
  }

  /** Starts to listen for reloads. Never fails: without a connection it retries with increasing delays. */
  listen(): Promise<void> {
    return this.#listener.listen()
  }

  reload() {
    this.#loading = undefined
    this.#loaded = undefined
  }

  close(): Promise<void> {
    return this.#listener.close()
  }
}
