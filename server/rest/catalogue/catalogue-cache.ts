import type { FastifyBaseLogger } from 'fastify'
import { Listener } from '../../postgres/listener.ts'
import { restErrors } from '../errors.ts'
import { loadCatalogue } from './load.ts'
import type { Catalogue } from './types.ts'

/**
 * The catalogue, loaded at the first need and again on `notify pgrst, 'reload schema'`, which a migration sends. While the listening
 * connection is away a change may pass unheard, so the catalogue is dropped when it comes back.
 */
export class CatalogueCache {
  readonly #ownerUrl: string
  readonly #schemas: readonly string[]
  readonly #listener: Listener
  #loading: Promise<Catalogue> | undefined
  #loaded: Catalogue | undefined

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

  /** What `get` would resolve to, when that is known: nearly always. */
  get loaded(): Catalogue | undefined {
    return this.#loaded
  }

  /** The same object until a reload. @throws GatewayError PGRST002 (503) while the database can't be read. */
  async get(): Promise<Catalogue> {
    this.#loading ??= loadCatalogue(this.#ownerUrl, this.#schemas)
    const loading = this.#loading
    try {
      const catalogue = await loading
      if (this.#loading === loading) this.#loaded = catalogue
      return catalogue
    } catch (cause) {
      // The next request tries again.
      if (this.#loading === loading) this.#loading = undefined
      throw restErrors.noCatalogue(cause)
    }
  }

  /** Starts to listen for reloads. Never fails: without the connection it tries again, later and later. */
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
