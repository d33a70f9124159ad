import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Exchange, Subscription } from '../exchange/exchange.ts'
import type { Allowances, Exceeded, Sender } from './allowances.ts'
import type { Broadcast } from './broadcast-frame.ts'
import type { Hub } from './hub.ts'
import type { Presence } from './presence.ts'
import type { Room } from './room.ts'

type PresenceEntry = { room: Room; number: number; presence: Presence }
/** `count`: how many changes of presence the sender has sent so far, so that a node notices when it missed one. */
type Message =
  | {
      readonly kind: 'broadcast'
      readonly room: Room
      readonly broadcast: { kind: 'json'; payload: unknown } | BytesHead
      readonly sender: Sender
    }
  | {
      readonly kind: 'presence'
      readonly room: Room
      readonly number: number
      readonly presence?: Presence
      readonly count: number
    }
  /** All presences of the sender. */
  | { readonly kind: 'presences'; readonly presences: readonly PresenceEntry[]; readonly count: number }
  | { readonly kind: 'alive'; readonly count: number }
  /** Asks every node, or one of them, for its presences. */
  | { readonly kind: 'ask'; readonly of?: string }
  | { readonly kind: 'bye' }
/** The bytes follow the header. */
type BytesHead = { readonly kind: 'bytes'; readonly event: string; readonly encoding: number }

type Peer = { heardAt: number; count: number; askedAt: number }

export type RelayTimes = { readonly aliveEveryMs: number; readonly goneAfterMs: number }
/** How long to wait for an answer before asking again. */
const askTimeoutMs = 1_000
const gatherMs = 20
const dropsLogMs = 10_000
const channel = 'realtime'
const usualTimes: RelayTimes = { aliveEveryMs: 5_000, goneAfterMs: 16_000 }

/**
 * Exchanges broadcasts and presences between nodes (and their workers, which are nodes here), and stores nothing. Every node knows all
 * presences and sends heartbeats; when a node's heartbeats stop, its presences end. A node notices missed changes, e.g. after an
 * outage of Redis, by the count, and asks for all presences again.
 */
export class Relay {
  readonly #exchange: Exchange
  readonly #hub: Hub
  readonly #allowances: Allowances
  readonly #log: FastifyBaseLogger
  readonly #times: RelayTimes
  readonly #node = randomUUID()
  readonly #peers = new Map<string, Peer>()
  readonly #timer: NodeJS.Timeout
  #subscription: Subscription | undefined
  #count = 0
  #isStopped = false
  #dropped = 0
  #dropsToldAt = Number.NEGATIVE_INFINITY
  #telling: NodeJS.Timeout | undefined

  constructor(parts: {
    exchange: Exchange
    hub: Hub
    allowances: Allowances
    log: FastifyBaseLogger
    times?: RelayTimes
  }) {
    this.#exchange = parts.exchange
    this.#hub = parts.hub
    this.#allowances = parts.allowances
    this.#log = parts.log
    this.#times = parts.times ?? usualTimes
    this.#timer = setInterval(() => this.#lookAround(), this.#times.aliveEveryMs).unref()
  }

  /** Resolves once messages of other nodes arrive. */
  async start() {
    const ask = () => void this.#send({ kind: 'ask' })
    this.#subscription = this.#exchange.subscribe(channel, (data) => this.#receive(data), ask)
    await this.#subscription.started
    ask()
  }

  async stop() {
    clearInterval(this.#timer)
    clearTimeout(this.#telling)
    await this.#send({ kind: 'bye' })
    this.#isStopped = true
    this.#subscription?.end()
  }

  broadcast(room: Room, broadcast: Broadcast, sender: Sender) {
    if (broadcast.kind === 'json') return void this.#send({ kind: 'broadcast', room, broadcast, sender })
    const { bytes, ...head } = broadcast
    void this.#send({ kind: 'broadcast', room, broadcast: head, sender }, bytes)
  }

  presence(room: Room, number: number, presence: Presence | undefined) {
    this.#count += 1
    void this.#send({ kind: 'presence', room, number, ...(presence && { presence }), count: this.#count })
  }

  async #send(message: Message, bytes?: Buffer) {
    if (this.#isStopped) return
    const head = Buffer.from(`${JSON.stringify({ from: this.#node, ...message })}\n`)
    await this.#exchange.publish(channel, bytes ? Buffer.concat([head, bytes]) : head)
  }

  #lookAround() {
    void this.#send({ kind: 'alive', count: this.#count })
    const gone = Date.now() - this.#times.goneAfterMs
    for (const [node, { heardAt }] of this.#peers) if (heardAt < gone) this.#forget(node)
  }

  #forget(node: string) {
    this.#peers.delete(node)
    this.#hub.replaceElsewhere(node, [])
  }

  #receive(data: Buffer) {
    try {
      const end = data.indexOf(10)
      const { from, ...message } = JSON.parse(data.toString('utf8', 0, end)) as Message & { from: string }
      if (from !== this.#node) this.#hear(from, message as Message, data.subarray(end + 1), end)
    } catch (err) {
      this.#log.warn({ err }, 'realtime: malformed message from another node')
    }
  }

  #hear(from: string, message: Message, bytes: Buffer, length: number) {
    const known = this.#peers.get(from)
    const peer = known ?? { heardAt: 0, count: -1, askedAt: 0 }
    peer.heardAt = Date.now()
    switch (message.kind) {
      case 'broadcast': {
        const { room, broadcast, sender } = message
        // The sender's node counts its receivers; this node counts its own.
        const size = broadcast.kind === 'json' ? length : bytes.length
        const exceeded = this.#allowances.draw(sender, [this.#hub.costOf(room, size)])
        if (exceeded) this.#drop(exceeded)
        else this.#hub.deliver(room, broadcast.kind === 'json' ? broadcast : { ...broadcast, bytes })
        break
      }
      case 'presence':
        // A change that arrives before the full list will be in the list.
        if (peer.count !== -1) this.#hub.setElsewhere(from, message.room, message.number, message.presence)
        if (peer.count === message.count - 1) peer.count = message.count
        else this.#ask(from, peer)
        break
      case 'presences':
        this.#hub.replaceElsewhere(from, message.presences)
        peer.count = message.count
        break
      case 'alive':
        if (peer.count !== message.count) this.#ask(from, peer)
        break
      case 'ask':
        if (message.of === undefined || message.of === this.#node) this.#tellEverybody()
        break
      case 'bye':
        return this.#forget(from)
    }
    this.#peers.set(from, peer)
  }

  /** Its sender is on another node and can't be notified, so the operator is, from time to time. */
  #drop(exceeded: Exceeded) {
    this.#dropped += 1
    if (performance.now() - this.#dropsToldAt < dropsLogMs) return
    this.#log.warn(
      { dropped: this.#dropped, exceeded },
      'realtime: broadcasts from other nodes are dropped: too many deliveries',
    )
    this.#dropsToldAt = performance.now()
    this.#dropped = 0
  }

  #ask(node: string, peer: Peer) {
    if (Date.now() - peer.askedAt < askTimeoutMs) return
    peer.askedAt = Date.now()
    void this.#send({ kind: 'ask', of: node })
  }

  /** Waits a moment, so that one answer serves all nodes that ask at the same time. */
  #tellEverybody() {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      void this.#send({ kind: 'presences', presences: [...this.#hub.presentHere()], count: this.#count })
    }, gatherMs).unref()
  }
}
