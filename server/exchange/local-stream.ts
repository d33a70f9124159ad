import type { OnEntry, Stream, Subscription } from './exchange.ts'

/** A follower that has so many entries in front of it misses them, instead of filling the memory. */
const mostWaiting = 2_000

/** What the first process of a machine keeps of a stream: who may write, and the last entry. */
export class LocalStream implements Omit<Stream, 'follow'> {
  readonly #publish: (entry: Buffer) => void
  #writer: string | undefined
  #last: { readonly entry: Buffer; readonly at: number } | undefined

  constructor(publish: (entry: Buffer) => void) {
    this.#publish = publish
  }

  async takeOver(writer: string) {
    this.#writer = writer
    return this.#last?.entry
  }

  async append(writer: string, entries: readonly Buffer[]) {
    if (writer !== this.#writer) return false
    for (const entry of entries) {
      this.#last = { entry, at: performance.now() }
      this.#publish(entry)
    }
    return true
  }

  async last() {
    return this.#last && { entry: this.#last.entry, ageMs: performance.now() - this.#last.at }
  }
}

/** Hands over entries one after the other, as a stream's follower expects them. */
function inOrder(onEntry: OnEntry): (entry: Buffer) => void {
  const waiting: Buffer[] = []
  let isBusy = false
  const handOver = async () => {
    isBusy = true
    for (let entry = waiting.shift(); entry; entry = waiting.shift()) await onEntry(entry)
    isBusy = false
  }
  return (entry) => {
    if (waiting.push(entry) > mostWaiting) waiting.length = 0
    else if (!isBusy) void handOver()
  }
}

export const nameOfStream = (name: string) => `stream:${name}`

type Channels = { subscribe(channel: string, onMessage: (message: Buffer) => void): Subscription }

/** @param channels where the first process publishes the entries. */
export function openStream(name: string, channels: Channels, first: Omit<Stream, 'follow'>): Stream {
  return {
    takeOver: (writer) => first.takeOver(writer),
    append: (writer, entries) => first.append(writer, entries),
    last: () => first.last(),
    follow: (onEntry) => channels.subscribe(nameOfStream(name), inOrder(onEntry)),
  }
}
