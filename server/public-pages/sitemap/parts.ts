import type { CallerDb } from '../../postgres/caller-db.ts'
import { end, findPosition, type Kind, type Position, start } from './queries.ts'

/** How long new pages may lengthen the last part before the next one begins. */
const refreshMs = 60_000

/**
 * Where each part of the sitemap begins. Pages come in the order of their publishing, so what has begun never moves: deleted pages leave
 * gaps, and new ones come at the end. A part is read between two keys of an index, and the search for the next one goes on from the last.
 */
export class Parts {
  readonly #db: CallerDb
  readonly #kind: Kind
  readonly #size: number
  readonly #clock: { now(): number }
  readonly #firsts: Position[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | undefined

  /** @param clock in milliseconds. */
  constructor(db: CallerDb, kind: Kind, size: number, clock: { now(): number }) {
    this.#db = db
    this.#kind = kind
    this.#size = size
    this.#clock = clock
  }

  async count(): Promise<number> {
    if (this.#clock.now() - this.#readAt >= refreshMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
    }
    return this.#firsts.length
  }

  /** @param number from 1. Undefined if there is no such part. */
  async find(number: number): Promise<{ readonly from: Position; readonly to: Position } | undefined> {
    if (number > (await this.count())) return undefined
    // The first one begins before all pages: one with an earlier date may still come.
    return { from: (number > 1 && this.#firsts[number - 1]) || start, to: this.#firsts[number] ?? end }
  }

  async #read(): Promise<void> {
    for (;;) {
      const last = this.#firsts.at(-1)
      const next = await findPosition(this.#db, this.#kind, last ?? start, last ? this.#size : 0)
      if (!next) break
      this.#firsts.push(next)
    }
    this.#readAt = this.#clock.now()
  }
}
