import type { FastifyBaseLogger } from 'fastify'
import { Client } from './client.ts'

const firstRetryMs = 500
const maxRetryMs = 30_000

export type ListenerOptions = {
  readonly ownerUrl: string
  /** An identifier, quoted for LISTEN. */
  readonly channel: string
  readonly log: FastifyBaseLogger
  /** Also called without a payload once the connection is open: notifications during an outage are not repeated. */
  onNotification(payload: string | undefined): void
  /** Called when the connection is lost: until it is open again, notifications are missed. */
  onLost?(): void
}

/** Receives NOTIFY on its own connection, and reconnects with increasing delays. */
export class Listener {
  readonly #options: ListenerOptions
  #client: Client | undefined
  #retryMs = firstRetryMs
  #retryTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: ListenerOptions) {
    this.#options = options
  }

  /** Never fails: without a connection it retries. */
  async listen(): Promise<void> {
    if (this.#closed) return
    const { ownerUrl, channel, onNotification } = this.#options
    const client = new Client({ connectionString: ownerUrl, application_name: 'ovation listen', keepAlive: true })
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

  #lose(client: Client) {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    client.end().catch(() => undefined)
    const { channel, log, onLost } = this.#options
    onLost?.()
    log.warn({ channel, retryMs: this.#retryMs }, 'the connection that listens to the database was lost')
    this.#retryTimer = setTimeout(() => void this.listen(), this.#retryMs)
    this.#retryTimer.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, maxRetryMs)
  }
}
