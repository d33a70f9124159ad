import pg from 'pg'
import { hostsOf } from '../database-hosts.ts'
import { findPrimary } from './find-primary.ts'
import { endWithPrimary } from './host-watch.ts'

/**
 * pg's client for a URL that may name several hosts: it connects to the first one that takes writes, as libpq does with
 * `target_session_attrs=read-write`, which pg doesn't know. Pools get it as their `Client`, so that all connections find a new primary
 * by themselves. The product writes on all of them, so there is no other choice of hosts.
 */
export class Client extends pg.Client {
  readonly #url: string | undefined

  constructor(config: pg.ClientConfig = {}) {
    const [first, second] = hostsOf(config.connectionString ?? '')
    super(second === undefined ? config : { ...config, connectionString: first })
    this.#url = second === undefined ? undefined : config.connectionString
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error | null) => void): void
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(() => callback(null), callback)
    return undefined
  }

  async #connect(): Promise<this> {
    if (this.#url === undefined) {
      await super.connect()
      return this
    }
    const primary = await findPrimary(this.#url)
    const { host, port } = new pg.Client({ connectionString: primary })
    this.host = host
    this.port = port
    await super.connect()
    endWithPrimary(this, this.#url, primary)
    return this
  }
}
