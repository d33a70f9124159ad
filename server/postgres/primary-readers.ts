import type { Exchange } from '../exchange/exchange.ts'

/** Longer than a replica may be behind, so that it has caught up with what the account saw. */
const staysForMs = 1_000

/**
 * Accounts that have just seen something on the primary, or changed it, known to all processes. Until a while after the last time, they are
 * answered by the primary, so they never see less than before: neither their own writes undone, nor others'.
 */
export class PrimaryReaders {
  readonly #exchange: Pick<Exchange, 'remember' | 'recall'>
  #unsureUntil = Number.NEGATIVE_INFINITY

  constructor(exchange: Pick<Exchange, 'remember' | 'recall'>) {
    this.#exchange = exchange
  }

  /** Awaited before the account gets its answer. */
  async add(account: string, forMs = staysForMs): Promise<void> {
    if (!(await this.#exchange.remember(account, forMs))) this.#unsureUntil = performance.now() + forMs
  }

  /** Whether the primary has to answer; it then has to for longer. */
  async includes(account: string): Promise<boolean> {
    if (performance.now() < this.#unsureUntil) return true
    return (await this.#exchange.recall(account, staysForMs)) !== false
  }
}
