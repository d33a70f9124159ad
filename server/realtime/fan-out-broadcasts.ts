import type { Channel } from './channel.ts'
import type { Room } from './room.ts'

type Job = {
  readonly room: ReadonlySet<Channel>
  readonly receivers: readonly Channel[]
  next: number
  readonly send: Send
  readonly done: () => void
}
type Send = (channel: Channel) => void

/** Sends per turn of the event loop: about ten milliseconds. Shorter turns make each send more expensive. */
const perTurn = 1024
/** Sends in one room before the next one gets its turn. */
const perSlice = 256

/**
 * Sends to all channels of a room without blocking the process. Sends beyond one turn of the event loop wait for the next turn. Rooms
 * take turns, so that a large one delays no small one. Within a room the order is kept.
 */
export class FanOut {
  readonly #waiting = new Map<Room, Job[]>()
  #left = perTurn
  #turn: NodeJS.Immediate | undefined

  /**
   * Sends now, if there is time and the room has no queue; otherwise in turn, to the channels that are in the room now and still are then.
   * @returns undefined when everything is sent; otherwise a promise that resolves when it is.
   */
  send(name: Room, room: ReadonlySet<Channel>, send: Send): Promise<void> | undefined {
    if (room.size === 0) return undefined
    this.#turn ??= setImmediate(() => this.#next())
    const waiting = this.#waiting.get(name)
    if (!waiting && room.size <= this.#left) {
      this.#left -= room.size
      for (const channel of room) send(channel)
      return undefined
    }
    const { promise, resolve: done } = Promise.withResolvers<void>()
    const job = { room, receivers: [...room], next: 0, send, done }
    if (waiting) waiting.push(job)
    else this.#waiting.set(name, [job])
    return promise
  }

  #next() {
    this.#turn = undefined
    this.#left = perTurn
    while (this.#left > 0) {
      const [first] = this.#waiting
      if (!first) break
      const [name, jobs] = first
      this.#waiting.delete(name)
      this.#work(jobs)
      if (jobs.length > 0) this.#waiting.set(name, jobs) // behind the others
    }
    if (this.#waiting.size > 0) this.#turn = setImmediate(() => this.#next())
  }

  #work(jobs: Job[]) {
    let slice = Math.min(perSlice, this.#left)
    while (slice > 0) {
      const [job] = jobs
      if (!job) return
      const { room, receivers, send } = job
      const end = Math.min(job.next + slice, receivers.length)
      const done = end - job.next
      for (; job.next < end; job.next++) {
        const channel = receivers[job.next]
        if (channel && room.has(channel)) send(channel)
      }
      slice -= done
      this.#left -= done
      if (job.next < receivers.length) return
      jobs.shift()
      job.done()
    }
  }
}
