import type { ReaderState } from './change.ts'

export type RealtimeCounts = { readonly connections: number; readonly rooms: number }

/** This node's live updates for other parts: their state, such as for `/health/ready`, and which tables change. */
export class RealtimeStatus {
  #read: () => ReaderState = () => ({ isReading: false, failure: undefined })

  #count: () => RealtimeCounts = () => ({ connections: 0, rooms: 0 })

  readonly #followers: ((table: string) => void)[] = []

  /** The API sets the source once it is open. */
  watch(read: () => ReaderState, count: () => RealtimeCounts) {
    this.#read = read
    this.#count = count
  }

  /** `failure` tells the operator why row changes don't arrive. Nothing reads the log before the first channel is joined. */
  get state(): ReaderState {
    return this.#read()
  }

  get counts(): RealtimeCounts {
    return this.#count()
  }

  /** From now on, `follower` is called with the table of each change that this node reads. That starts no reading. */
  follow(follower: (table: string) => void) {
    this.#followers.push(follower)
  }

  /** The API has read a change. */
  tell(table: string) {
    for (const follower of this.#followers) follower(table)
  }
}
