import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { Channel, ChannelListener, Listened, Live, Present } from './live.ts'

const reopenMs = 2_000
/** Many changes at once, for example of a poll, cause one read. */
const gatherMs = 300

/** Listeners with the same table and filter share one channel; the last one to leave closes it. */
export class LiveHub implements Live {
  readonly #client: RealtimeClient
  readonly #tables = new Map<string, Followed<() => void>>()
  readonly #channels = new Map<string, SharedChannel>()
  /** Resolves when the last channel has left a topic and another may join. */
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
    // If the channel is open already, changes between this listener's first read and now only reached the others.
    if (followed.isOpen()) onChange()
    return () => {
      followed.listeners.delete(onChange)
      if (followed.listeners.size > 0 || this.#tables.get(name) !== followed) return
      this.#tables.delete(name)
      followed.leave()
    }
  }

  join(topic: string, key: string, listener: ChannelListener): Channel {
    const channel =
      this.#channels.get(topic) ?? new SharedChannel((onStatus) => this.#openChannel(topic, key, onStatus))
    this.#channels.set(topic, channel)
    return channel.add(listener, () => this.#channels.delete(topic))
  }

  #follow({ table, filter, event }: Listened): Followed<() => void> {
    const listeners = new Set<() => void>()
    let isOpen = false
    const tell = gather(() => {
      for (const listener of listeners) listener()
    })
    const leave = this.#keepOpen(
      // A unique name, because the last channel of this name may still be leaving. Without the filter, which may be longer than a name.
      () => this.#client.channel(`${table}:${++this.#opened}`),
      (channel) =>
        channel.on(
          'postgres_changes',
          { event: event as '*', schema: 'public', table, ...(filter && { filter }) },
          tell,
        ),
      // Changes before the channel opened (after a listener's first read, or while disconnected) were missed.
      () => {
        isOpen = true
        tell()
      },
    )
    return { listeners, isOpen: () => isOpen, leave }
  }

  #openChannel(topic: string, key: string, { onOpen, onBroadcast, onPresent }: ChannelEvents): () => void {
    return this.#keepOpen(
      () => this.#client.channel(topic, { config: { private: true, presence: { key } } }),
      (channel) =>
        channel
          .on('broadcast', { event: '*' }, ({ event, payload }) => onBroadcast(event, payload))
          .on('presence', { event: 'sync' }, () => onPresent(channel.presenceState())),
      onOpen,
    )
  }

  /** Opens a channel, and reopens it when the server has closed it. @returns a function that leaves it. */
  #keepOpen(
    make: () => RealtimeChannel,
    prepare: (channel: RealtimeChannel) => RealtimeChannel,
    onOpen: (channel: RealtimeChannel) => void,
  ): () => void {
    const leaving = new AbortController()
    const open = async () => {
      // The client joins with its current token: too early, that is a visitor's, and the server rejects it.
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
        // Not permitted, and that won't change: don't retry.
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

/** Calls back at once, then once for everything that follows shortly. */
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
type ChannelEvents = ChannelListener & { onOpen(channel: RealtimeChannel): void }

/** A topic and everyone in this browser who is in it. */
class SharedChannel {
  readonly #leave: () => void
  readonly #listeners = new Set<ChannelListener>()
  readonly #tracked = new Map<ChannelListener, object>()
  #channel: RealtimeChannel | undefined
  #present: Present = {}

  constructor(open: (events: ChannelEvents) => () => void) {
    this.#leave = open({
      onOpen: (channel) => {
        this.#channel = channel
        this.#updatePresence()
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

  add(listener: ChannelListener, onEmpty: () => void): Channel {
    this.#listeners.add(listener)
    listener.onPresent(this.#present)
    return {
      broadcast: (event, payload) => {
        if (this.#channel?.state === 'joined') void this.#channel.send({ type: 'broadcast', event, payload })
      },
      track: (state) => {
        if (state) this.#tracked.set(listener, state)
        else this.#tracked.delete(listener)
        this.#updatePresence()
      },
      leave: () => {
        this.#listeners.delete(listener)
        if (this.#tracked.delete(listener)) this.#updatePresence()
        if (this.#listeners.size > 0) return
        onEmpty()
        this.#leave()
      },
    }
  }

  /** Visible while any of them wants it. */
  #updatePresence() {
    if (this.#channel?.state !== 'joined') return
    const [state] = this.#tracked.values()
    if (state) void this.#channel.track(state)
    else void this.#channel.untrack()
  }
}
