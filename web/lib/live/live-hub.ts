import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { Listened, Live, Present, Room, RoomListener } from './live.ts'

const reopenMs = 2_000
/** Many changes at once, e.g. of a poll, are one reason to read again. */
const gatherMs = 300

/** Several listeners of one thing share one channel; the last one to go closes it. */
export class LiveHub implements Live {
  readonly #client: RealtimeClient
  readonly #tables = new Map<string, Followed<() => void>>()
  readonly #rooms = new Map<string, OpenRoom>()
  /** A topic is free for another channel once the last one has left it. */
  readonly #leaving = new Map<string, Promise<unknown>>()
  #opened = 0

  constructor(client: RealtimeClient) {
    this.#client = client
  }

  listen(what: Listened, onChange: () => void): () => void {
    const name = `${what.event} ${what.table}:${what.filter}`
    const followed = this.#tables.get(name) ?? this.#follow(what)
    this.#tables.set(name, followed)
    followed.listeners.add(onChange)
    // Where others listen already, what happened between this one's first reading and now was told to them alone.
    if (followed.isOpen()) onChange()
    return () => {
      followed.listeners.delete(onChange)
      if (followed.listeners.size > 0 || this.#tables.get(name) !== followed) return
      this.#tables.delete(name)
      followed.leave()
    }
  }

  enter(topic: string, key: string, listener: RoomListener): Room {
    const room = this.#rooms.get(topic) ?? new OpenRoom((onStatus) => this.#openRoom(topic, key, onStatus))
    this.#rooms.set(topic, room)
    return room.add(listener, () => this.#rooms.delete(topic))
  }

  #follow({ table, filter, event }: Listened): Followed<() => void> {
    const listeners = new Set<() => void>()
    let isOpen = false
    const tell = gather(() => {
      for (const listener of listeners) listener()
    })
    const leave = this.#keepOpen(
      // A name of its own, for the last channel of this name may still be leaving; without the filter, which may be longer than a name.
      () => this.#client.channel(`${table}:${++this.#opened}`),
      (channel) =>
        channel.on(
          'postgres_changes',
          { event: event as '*', schema: 'public', table, ...(filter && { filter }) },
          tell,
        ),
      // What happened before it was open, after a reader's first answer or while the connection was down, is sent to nobody.
      () => {
        isOpen = true
        tell()
      },
    )
    return { listeners, isOpen: () => isOpen, leave }
  }

  #openRoom(topic: string, key: string, { onOpen, onBroadcast, onPresent }: RoomEvents): () => void {
    return this.#keepOpen(
      () => this.#client.channel(topic, { config: { private: true, presence: { key } } }),
      (channel) =>
        channel
          .on('broadcast', { event: '*' }, ({ event, payload }) => onBroadcast(event, payload))
          .on('presence', { event: 'sync' }, () => onPresent(channel.presenceState())),
      onOpen,
    )
  }

  /** Opens a channel and opens it again when the server has closed it. @returns how to leave it. */
  #keepOpen(
    make: () => RealtimeChannel,
    prepare: (channel: RealtimeChannel) => RealtimeChannel,
    onOpen: (channel: RealtimeChannel) => void,
  ): () => void {
    const leaving = new AbortController()
    const open = async () => {
      // The client sends a join with the token it has at that moment: one sent too early would be a visitor's, and be refused.
      await this.#client.setAuth()
      if (leaving.signal.aborted) return
      const channel = make()
      if (this.#leaving.has(channel.topic)) {
        await this.#leaving.get(channel.topic)
        return open()
      }
      const leave = () => this.#leave(channel)
      leaving.signal.addEventListener('abort', leave)
      prepare(channel).subscribe((status, error) => {
        if (status === 'SUBSCRIBED') onOpen(channel)
        if (leaving.signal.aborted) return
        // Not allowed, and so it stays: asking again and again would change nothing.
        const isRefused = status === 'CHANNEL_ERROR' && error?.message.startsWith('Unauthorized')
        if (!isRefused && status !== 'CLOSED') return
        leaving.signal.removeEventListener('abort', leave)
        if (isRefused) void leave()
        else if (!this.#leaving.has(channel.topic)) setTimeout(() => void open(), reopenMs)
      })
    }
    void open()
    return () => leaving.abort()
  }

  #leave(channel: RealtimeChannel) {
    const left = this.#client.removeChannel(channel).finally(() => this.#leaving.delete(channel.topic))
    this.#leaving.set(channel.topic, left)
    return left
  }
}

/** The first call at once, and what comes shortly after it together. */
function gather(call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  return () => {
    if (timer !== undefined) {
      isDue = true
      return
    }
    call()
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) call()
      isDue = false
    }, gatherMs)
  }
}

type Followed<Listener> = { readonly listeners: Set<Listener>; isOpen(): boolean; readonly leave: () => void }
type RoomEvents = RoomListener & { onOpen(channel: RealtimeChannel): void }

/** One topic with everyone in this browser who is in it. */
class OpenRoom {
  readonly #leave: () => void
  readonly #listeners = new Set<RoomListener>()
  readonly #tracked = new Map<RoomListener, object>()
  #channel: RealtimeChannel | undefined
  #present: Present = {}

  constructor(open: (events: RoomEvents) => () => void) {
    this.#leave = open({
      onOpen: (channel) => {
        this.#channel = channel
        this.#showOneself()
      },
      onBroadcast: (event, payload) => {
        for (const listener of this.#listeners) listener.onBroadcast(event, payload)
      },
      onPresent: (present) => {
        this.#present = present
        for (const listener of this.#listeners) listener.onPresent(present)
      },
    })
  }

  add(listener: RoomListener, onEmpty: () => void): Room {
    this.#listeners.add(listener)
    listener.onPresent(this.#present)
    return {
      broadcast: (event, payload) => {
        if (this.#channel?.state === 'joined') void this.#channel.send({ type: 'broadcast', event, payload })
      },
      track: (state) => {
        if (state) this.#tracked.set(listener, state)
        else this.#tracked.delete(listener)
        this.#showOneself()
      },
      leave: () => {
        this.#listeners.delete(listener)
        if (this.#tracked.delete(listener)) this.#showOneself()
        if (this.#listeners.size > 0) return
        onEmpty()
        this.#leave()
      },
    }
  }

  /** Seen as long as one of them wants it. */
  #showOneself() {
    if (this.#channel?.state !== 'joined') return
    const [state] = this.#tracked.values()
    if (state) void this.#channel.track(state)
    else void this.#channel.untrack()
  }
}
