import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { RedisService } from '../redis.ts'
import type { Allowances, Exceeded, Sender } from './allowances.ts'
import type { Broadcast } from './broadcast-frame.ts'
import type { Hub } from './hub.ts'
import type { Presence } from './presence.ts'
import type { Room } from './room.ts'

type Told = { room: Room; number: number; presence: Presence }
/** `count`: how many changes of presence the sender has told so far, so that who has missed one notices. */
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
  /** All who are present through the sender. */
  | { readonly kind: 'everybody'; readonly told: readonly Told[]; readonly count: number }
  | { readonly kind: 'alive'; readonly count: number }
  /** Every node is asked for everybody; or one of them. */
  | { readonly kind: 'ask'; readonly of?: string }
  | { readonly kind: 'bye' }
/** The bytes follow the header. */
type BytesHead = { readonly kind: 'bytes'; readonly event: string; readonly encoding: number }

type Neighbour = { heardAt: number; count: number; askedAt: number }

export type RelayTimes = { readonly aliveEveryMs: number; readonly goneAfterMs: number }
/** How long an answer is waited for before it is asked again. */
const patienceMs = 1_000
const gatherMs = 20
const dropsLogMs = 10_000
const usualTimes: RelayTimes = { aliveEveryMs: 5_000, goneAfterMs: 16_000 }

/**
 * What nodes tell each other through Redis: broadcasts, and who is present. Nothing is kept there. Every node knows everybody's
 * presences; it says that it is alive, and one that is not heard of takes its people along. What was missed, e.g. while Redis was
 * away, is noticed by the count and asked for anew.
 */
export class Relay {
  readonly #redis: RedisService
  readonly #hub: Hub
  readonly #allowances: Allowances
  readonly #log: FastifyBaseLogger
  readonly #times: RelayTimes
  readonly #node = randomUUID()
  readonly #channel: string
  readonly #neighbours = new Map<string, Neighbour>()
  readonly #timer: NodeJS.Timeout
  readonly #subscriber: ReturnType<RedisService['openSubscriber']>
  #count = 0
  #isStopped = false
  #dropped = 0
  #dropsToldAt = Number.NEGATIVE_INFINITY
  #telling: NodeJS.Timeout | undefined

  constructor(parts: {
    redis: RedisService
    hub: Hub
    allowances: Allowances
    log: FastifyBaseLogger
    times?: RelayTimes
  }) {
    this.#redis = parts.redis
    this.#hub = parts.hub
    this.#allowances = parts.allowances
    this.#log = parts.log
    this.#times = parts.times ?? usualTimes
    this.#channel = this.#redis.name('realtime')
    this.#timer = setInterval(() => this.#lookAround(), this.#times.aliveEveryMs).unref()
    this.#subscriber = this.#redis.openSubscriber()
    this.#subscriber.on('messageBuffer', (_channel: Buffer, data: Buffer) => this.#receive(data))
    // Also after an outage, once it has subscribed again.
    this.#subscriber.on('ready', () => void this.#send({ kind: 'ask' }))
  }

  /** Resolves when the others are heard; at once while Redis is away, and then they are heard when it is back. */
  async start() {
    const subscribed = this.#subscriber.subscribe(this.#channel).then(() => this.#send({ kind: 'ask' }))
    if (this.#redis.commands.status === 'ready') return subscribed
    subscribed.catch((err: unknown) => {
      if (!this.#isStopped) this.#log.warn({ err }, 'realtime: other nodes are not heard')
    })
  }

  async stop() {
    clearInterval(this.#timer)
    clearTimeout(this.#telling)
    await this.#send({ kind: 'bye' })
    this.#isStopped = true
    this.#subscriber.disconnect()
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
    // While Redis is away each node stands alone; redis.ts tells the operator once.
    await this.#redis.commands
      .publish(this.#channel, bytes ? Buffer.concat([head, bytes]) : head)
      .catch(() => undefined)
  }

  #lookAround() {
    void this.#send({ kind: 'alive', count: this.#count })
    const gone = Date.now() - this.#times.goneAfterMs
    for (const [node, { heardAt }] of this.#neighbours) if (heardAt < gone) this.#forget(node)
  }

  #forget(node: string) {
    this.#neighbours.delete(node)
    this.#hub.replaceElsewhere(node, [])
  }

  #receive(data: Buffer) {
    try {
      const end = data.indexOf(10)
      const { from, ...message } = JSON.parse(data.toString('utf8', 0, end)) as Message & { from: string }
      if (from !== this.#node) this.#hear(from, message as Message, data.subarray(end + 1), end)
    } catch (err) {
      this.#log.warn({ err }, 'realtime: another node said something that makes no sense')
    }
  }

  #hear(from: string, message: Message, bytes: Buffer, length: number) {
    const known = this.#neighbours.get(from)
    const neighbour = known ?? { heardAt: 0, count: -1, askedAt: 0 }
    neighbour.heardAt = Date.now()
    switch (message.kind) {
      case 'broadcast': {
        const { room, broadcast, sender } = message
        // The sender's node knows how many hear it there; how many do here is counted here.
        const size = broadcast.kind === 'json' ? length : bytes.length
        const exceeded = this.#allowances.draw(sender, [this.#hub.costOf(room, size)])
        if (exceeded) this.#drop(exceeded)
        else this.#hub.deliver(room, broadcast.kind === 'json' ? broadcast : { ...broadcast, bytes })
        break
      }
      case 'presence':
        // One that comes before the whole is known will be in the whole.
        if (neighbour.count !== -1) this.#hub.setElsewhere(from, message.room, message.number, message.presence)
        if (neighbour.count === message.count - 1) neighbour.count = message.count
        else this.#ask(from, neighbour)
        break
      case 'everybody':
        this.#hub.replaceElsewhere(from, message.told)
        neighbour.count = message.count
        break
      case 'alive':
        if (neighbour.count !== message.count) this.#ask(from, neighbour)
        break
      case 'ask':
        if (message.of === undefined || message.of === this.#node) this.#tellEverybody()
        break
      case 'bye':
        return this.#forget(from)
    }
    this.#neighbours.set(from, neighbour)
  }

  /** Its sender is elsewhere and can't be told: the operator is, once in a while. */
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

  #ask(node: string, neighbour: Neighbour) {
    if (Date.now() - neighbour.askedAt < patienceMs) return
    neighbour.askedAt = Date.now()
    void this.#send({ kind: 'ask', of: node })
  }

  /** A little later, once for all who ask at the same time. */
  #tellEverybody() {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      void this.#send({ kind: 'everybody', told: [...this.#hub.presentHere()], count: this.#count })
    }, gatherMs).unref()
  }
}
