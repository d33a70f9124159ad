import { type Broadcast, encodeDelivery, toJsonPayload } from './broadcast-frame.ts'
import { type Channel, type Room, topicOf } from './channel.ts'
import { encodeFrame } from './frame.ts'
import { PresenceList } from './presence.ts'

type Occupied = { readonly channels: Set<Channel>; readonly presences: PresenceList<Channel> }

/** Who is in which room on this node: what broadcasts and presence run over. */
export class Hub {
  readonly #rooms = new Map<Room, Occupied>()

  get roomCount(): number {
    return this.#rooms.size
  }

  enter(channel: Channel) {
    const occupied = this.#rooms.get(channel.room) ?? { channels: new Set(), presences: new PresenceList<Channel>() }
    this.#rooms.set(channel.room, occupied)
    occupied.channels.add(channel)
  }

  leave(channel: Channel) {
    const occupied = this.#rooms.get(channel.room)
    if (!occupied) return
    occupied.channels.delete(channel)
    this.#announce(occupied, occupied.presences.untrack(channel))
    if (occupied.channels.size === 0) this.#rooms.delete(channel.room)
  }

  /** Tells the room's channels on every node. @param from the sending channel; undefined for one sent over HTTP. */
  broadcast(room: Room, broadcast: Broadcast, from?: Channel) {
    this.deliver(room, broadcast, from)
  }

  /** Tells the room's channels on this node. The sender gets its own broadcast only when it asked to. */
  deliver(room: Room, broadcast: Broadcast, from?: Channel) {
    const occupied = this.#rooms.get(room)
    if (!occupied) return
    // Encoded once for all receivers of a version: a room may have thousands.
    const topic = topicOf(room)
    const bytes = broadcast.kind === 'bytes' ? encodeDelivery(topic, broadcast) : undefined
    const payload = toJsonPayload(broadcast)
    const text = (version: '1.0.0' | '2.0.0') =>
      payload === undefined
        ? undefined
        : encodeFrame({ joinRef: null, ref: null, topic, event: 'broadcast', payload }, version)
    const encoded = { '1.0.0': text('1.0.0'), '2.0.0': bytes ?? text('2.0.0') }
    for (const channel of occupied.channels) {
      const data = encoded[channel.version]
      if (data === undefined || !channel.hears('broadcast')) continue
      if (channel !== from || channel.config.broadcast.self) channel.sendEncoded(data)
    }
  }

  presencesOf(channel: Channel) {
    return this.#rooms.get(channel.room)?.presences.state() ?? {}
  }

  track(channel: Channel, key: string, told: Readonly<Record<string, unknown>>) {
    const occupied = this.#rooms.get(channel.room)
    if (occupied) this.#announce(occupied, occupied.presences.track(channel, key, told))
  }

  untrack(channel: Channel) {
    const occupied = this.#rooms.get(channel.room)
    if (occupied) this.#announce(occupied, occupied.presences.untrack(channel))
  }

  #announce(occupied: Occupied, diff: ReturnType<PresenceList<Channel>['untrack']>) {
    if (!diff) return
    for (const channel of occupied.channels) {
      if (channel.hasPresence && channel.hears('presence')) channel.send('presence_diff', diff)
    }
  }
}
