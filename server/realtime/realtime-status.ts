import type { ReaderState } from './change-reader.ts'

export type RealtimeCounts = { readonly connections: number; readonly rooms: number }

/** The state of this node's live updates for other parts, such as `/health/ready`. */
export class RealtimeStatus {
  #read: () => ReaderState = () => ({ isReading: false, failure: undefined })

  #count: () => RealtimeCounts = () => ({ connections: 0, rooms: 0 })

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
}
