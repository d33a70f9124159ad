import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

const firstRetryMs = 500
const lastRetryMs = 30_000

export type ListenerOptions = {
  readonly ownerUrl: string
  /** An identifier, as it stands behind LISTEN. */
  readonly channel: string
  readonly log: FastifyBaseLogger
  /** Also called once the connection stands, with no payload: what was said while it did not is not said again. */
  onNotification(payload: string | undefined): void
  /** Called when the connection goes: until it stands again, nothing is heard. */
  onLost?(): void
}

/** Hears NOTIFY on a connection of its own, and comes back, later and later, when that is lost. */
export class Listener {
  readonly #options: ListenerOptions
  #client: pg.Client | undefined
  #retryMs = firstRetryMs
  #retryTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Never fails: without the connection it tries again. */
  async listen(): Promise<void> {
    if (this.#closed) return
    const { ownerUrl, channel, onNotification } = this.#options
    const client = new pg.Client({ connectionString: ownerUrl, application_name: 'ovation listen', keepAlive: true })
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    this.#client = client
    try {
      await client.connect()
      if (this.#closed) return await client.end()
      await client.query(`listen ${channel}`)
      this.#retryMs = firstRetryMs
      onNotification(undefined)
    } catch {
      this.#lose(client)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retryTimer)
    await this.#client?.end().catch(() => undefined)
  }

  #lose(client: pg.Client) {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    const { channel, log, onLost } = this.#options
    onLost?.()
    log.warn({ channel, retryMs: this.#retryMs }, 'the connection that listens to the database is gone')
    this.#retryTimer = setTimeout(() => void this.listen(), this.#retryMs)
    this.#retryTimer.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
  }
}
