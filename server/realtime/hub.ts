import { type Deliveries, type Sender, weightOf } from './allowances.ts'
import { type Broadcast, encodeDelivery, toJsonPayload } from './broadcast-frame.ts'
import type { Channel } from './channel.ts'
import { FanOut } from './fan-out-broadcasts.ts'
import { type Encoded, encodeFrame, type Version, versions } from './frame.ts'
import { merge, type Presence, type PresenceDiff, PresenceList, type Presences, present } from './presence.ts'
import { type Room, topicOf } from './room.ts'

/** A channel of another node, with a globally unique name. */
type Elsewhere = `${string}/${number}`
type Occupied = { readonly channels: Set<Channel>; readonly presences: PresenceList<Channel | Elsewhere> }

/** Sends events in this node's rooms to the other nodes. */
type Peers = {
  broadcast(room: Room, broadcast: Broadcast, sender: Sender): void
  presence(room: Room, number: number, presence: Presence | undefined): void
}

/** Tracks who is in which room, for broadcasts and presence. Without Redis there is only this node. */
export class Hub {
  readonly #rooms = new Map<Room, Occupied>()
  /** Rooms in which channels of other nodes are present, by node. */
  readonly #elsewhere = new Map<string, Map<Elsewhere, Room>>()
  readonly #fanOut = new FanOut()
  #relay: Peers | undefined

  /** The cost of sending something of this size to everyone in the room on this node. */
  costOf(room: Room, bytes: number): Deliveries {
    return { room, count: (this.#rooms.get(room)?.channels.size ?? 0) * weightOf(bytes) }
  }

  /** The cost of sending the room's presences to one channel. */
  costOfPresences(room: Room): Deliveries {
    return { room, count: weightOf(this.#rooms.get(room)?.presences.length ?? 0) }
  }

  /** The cost of telling the others that this channel's presence has ended. */
  costOfLeaving(channel: Channel): Deliveries {
    const presence = this.#rooms.get(channel.room)?.presences.of(channel)
    return presence ? this.costOf(channel.room, JSON.stringify(presence.meta).length) : { room: channel.room, count: 0 }
  }

  /** The number of rooms with a channel of this node, or with a presence that is visible here. */
  get roomCount(): number {
    return this.#rooms.size
  }

  /** From now on, other nodes receive what is sent here. */
  connect(relay: Peers) {
    this.#relay = relay
  }

  enter(channel: Channel) {
    this.#occupied(channel.room).channels.add(channel)
  }

  leave(channel: Channel) {
    this.untrack(channel)
    this.#rooms.get(channel.room)?.channels.delete(channel)
    this.#tidy(channel.room)
  }

  /** Sends to the room's channels on every node. @param from the sending channel; undefined for one sent over HTTP. */
  broadcast(room: Room, broadcast: Broadcast, sender: Sender, from?: Channel) {
    this.deliver(room, broadcast, from)
    this.#relay?.broadcast(room, broadcast, sender)
  }

  /**
   * Sends to the room's channels on this node. The sender gets its own broadcast only on request.
   * @returns undefined when everything is sent; otherwise a promise that resolves when it is.
   */
  deliver(room: Room, broadcast: Broadcast, from?: Channel): Promise<void> | undefined {
    const occupied = this.#rooms.get(room)
    if (!occupied) return undefined
    const topic = topicOf(room)
    const payload = toJsonPayload(broadcast)
    const encoded = encodeForAll(topic, 'broadcast', payload)
    const delivery = broadcast.kind === 'bytes' ? encodeDelivery(topic, broadcast) : undefined
    if (delivery) encoded['2.0.0'] = { data: delivery, isBinary: true }
    return this.#fanOut.send(room, occupied.channels, (channel) => {
      const data = encoded[channel.version]
      if (data === undefined || !channel.hears('broadcast')) return
      if (channel !== from || channel.config.broadcast.self) channel.sendEncoded(data)
    })
  }

  presencesOf(channel: Channel): Presences {
    return this.#rooms.get(channel.room)?.presences.state() ?? {}
  }

  track(channel: Channel, key: string, state: Readonly<Record<string, unknown>>) {
    const presence = present(key, state, this.#rooms.get(channel.room)?.presences.of(channel))
    this.#set(channel.room, channel, presence)
    this.#relay?.presence(channel.room, channel.number, presence)
  }

  untrack(channel: Channel) {
    if (!this.#rooms.get(channel.room)?.presences.of(channel)) return
    this.#set(channel.room, channel, undefined)
    this.#relay?.presence(channel.room, channel.number, undefined)
  }

  /** All presences of this node, for a node that doesn't know them yet. */
  *presentHere(): Generator<{ room: Room; number: number; presence: Presence }> {
    for (const [room, { presences }] of this.#rooms) {
      for (const [owner, presence] of presences) {
        if (typeof owner !== 'string') yield { room, number: owner.number, presence }
      }
    }
  }

  /** A presence on another node has begun or ended. */
  setElsewhere(node: string, room: Room, number: number, presence: Presence | undefined) {
    this.#remember(node, `${node}/${number}`, presence && room)
    this.#set(room, `${node}/${number}`, presence)
  }

  /** Replaces all presences of another node: a missing one has left. An empty list means that the node is gone. */
  replaceElsewhere(node: string, all: Iterable<{ room: Room; number: number; presence: Presence }>) {
    const gone = new Map(this.#elsewhere.get(node))
    const diffs = new Map<Room, PresenceDiff[]>()
    const change = (room: Room, owner: Elsewhere, presence: Presence | undefined) => {
      this.#remember(node, owner, presence && room)
      const { presences } = this.#occupied(room)
      if (presence && presences.of(owner)?.meta.phx_ref === presence.meta.phx_ref) return
      const diff = presences.set(owner, presence)
      if (diff) diffs.set(room, [...(diffs.get(room) ?? []), diff])
    }
    for (const { room, number, presence } of all) {
      gone.delete(`${node}/${number}`)
      change(room, `${node}/${number}`, presence)
    }
    for (const [owner, room] of gone) change(room, owner, undefined)
    for (const [room, list] of diffs) this.#announce(room, merge(list))
    for (const room of gone.values()) this.#tidy(room)
  }

  #remember(node: string, owner: Elsewhere, room: Room | undefined) {
    const known = this.#elsewhere.get(node) ?? new Map<Elsewhere, Room>()
    if (room) known.set(owner, room)
    else known.delete(owner)
    if (known.size > 0) this.#elsewhere.set(node, known)
    else this.#elsewhere.delete(node)
  }

  #occupied(room: Room): Occupied {
    const occupied = this.#rooms.get(room) ?? { channels: new Set(), presences: new PresenceList() }
    this.#rooms.set(room, occupied)
    return occupied
  }

  #tidy(room: Room) {
    const occupied = this.#rooms.get(room)
    if (occupied?.channels.size === 0 && occupied.presences.isEmpty) this.#rooms.delete(room)
  }

  #set(room: Room, owner: Channel | Elsewhere, presence: Presence | undefined) {
    const diff = this.#occupied(room).presences.set(owner, presence)
    if (diff) this.#announce(room, diff)
    this.#tidy(room)
  }

  #announce(room: Room, diff: PresenceDiff) {
    const channels = this.#rooms.get(room)?.channels
    if (!channels || channels.size === 0) return
    const encoded = encodeForAll(topicOf(room), 'presence_diff', diff)
    this.#fanOut.send(room, channels, (channel) => {
      const data = encoded[channel.version]
      if (data !== undefined && channel.hasPresence && channel.hears('presence')) channel.sendEncoded(data)
    })
  }
}

/** Encoded once for all receivers of a version: a room may have thousands. JSON can't carry an undefined payload. */
function encodeForAll(topic: string, event: string, payload: unknown): Partial<Record<Version, Encoded>> {
  if (payload === undefined) return {}
  const encode = (version: Version) =>
    Buffer.from(encodeFrame({ joinRef: null, ref: null, topic, event, payload }, version))
  return Object.fromEntries(versions.map((version) => [version, { data: encode(version), isBinary: false }]))
}
