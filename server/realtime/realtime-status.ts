import type { ReaderState } from './change-reader.ts'

export type RealtimeCounts = { readonly connections: number; readonly rooms: number }

/** What other parts, such as `/health/ready`, may know of this node's live updates. */
export class RealtimeStatus {
  #read: () => ReaderState = () => ({ isReading: false, failure: undefined })

  #count: () => RealtimeCounts = () => ({ connections: 0, rooms: 0 })

  /** The API tells where to look, once it is open. */
  watch(read: () => ReaderState, count: () => RealtimeCounts) {
    this.#read = read
    this.#count = count
  }

  /** `failure` says in the operator's words why row changes don't arrive. Nobody reads the log before the first channel is joined. */
  get state(): ReaderState {
    return this.#read()
  }

  get counts(): RealtimeCounts {
    return this.#count()
  }
}
