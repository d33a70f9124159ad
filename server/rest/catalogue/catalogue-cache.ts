import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { restErrors } from '../errors.ts'
import { loadCatalogue } from './load.ts'
import type { Catalogue } from './types.ts'

const channel = 'pgrst'
const firstRetryMs = 500
const lastRetryMs = 30_000

/**
 * The catalogue, loaded at the first need and again on `notify pgrst, 'reload schema'`, which a migration sends. While the listening
 * connection is away a change may pass unheard, so the catalogue is dropped when it comes back.
 */
export class CatalogueCache {
  readonly #ownerUrl: string
  readonly #schemas: readonly string[]
  readonly #log: FastifyBaseLogger
  #loading: Promise<Catalogue> | undefined
  #listener: pg.Client | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  #closed = false

  constructor({ ownerUrl, schemas, log }: { ownerUrl: string; schemas: readonly string[]; log: FastifyBaseLogger }) {
    this.#ownerUrl = ownerUrl
    this.#schemas = schemas
    this.#log = log
  }

  /** The same object until a reload. @throws GatewayError PGRST002 (503) while the database can't be read. */
  async get(): Promise<Catalogue> {
    this.#loading ??= loadCatalogue(this.#ownerUrl, this.#schemas)
    const loading = this.#loading
    try {
      return await loading
    } catch (cause) {
      // The next request tries again.
      if (this.#loading === loading) this.#loading = undefined
      throw restErrors.noCatalogue(cause)
    }
  }

  /** Starts to listen for reloads. Never fails: without the connection it tries again, later and later. */
  async listen(): Promise<void> {
    if (this.#closed) return
    const client = new pg.Client({
      connectionString: this.#ownerUrl,
      application_name: 'ovation listen',
      keepAlive: true,
    })
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', ({ payload }) => {
      if (payload === 'reload schema' || payload === '') this.reload()
    })
    this.#listener = client
    try {
      await client.connect()
      if (this.#closed) return await client.end()
      await client.query(`listen ${channel}`)
      this.#retryMs = firstRetryMs
      this.reload()
    } catch {
      this.#lose(client)
    }
  }

  reload() {
    this.#loading = undefined
  }

  async close() {
    this.#closed = true
    clearTimeout(this.#retryTimer)
    await this.#listener?.end().catch(() => undefined)
  }

  #lose(client: pg.Client) {
    if (this.#closed || this.#listener !== client) return
    this.#listener = undefined
    client.end().catch(() => undefined)
    this.#log.warn({ retryMs: this.#retryMs }, 'rest: the connection that listens for schema changes is gone')
    this.#retryTimer = setTimeout(() => void this.listen(), this.#retryMs)
    this.#retryTimer.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
  }
}
