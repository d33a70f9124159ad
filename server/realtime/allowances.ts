import { createHash } from 'node:crypto'
import { addressKey, type TrustsProxy } from '../http/client-address.ts'
import type { Caller } from '../postgres/caller.ts'
import { RateMeter } from './rate-meter.ts'
import type { Room } from './room.ts'
import type { RealtimeSettings } from './settings.ts'

/** The limit that was exceeded. */
export type Exceeded = 'sender' | 'topic' | 'node'

/** Keys that count a sender's deliveries. None: the operator's own programs, recognized by key or address. */
export type Sender = readonly string[]

/** The number of deliveries in this room. */
export type Deliveries = { readonly room: Room; readonly count: number }

/** Usage of one address. The caller counts its connections and channels here. */
export type AddressUse = {
  /** The key that counts its deliveries; undefined: they aren't counted. */
  readonly senderKey: string | undefined
  readonly mostConnections: number
  readonly mostChannels: number
  connections: number
  channels: number
  readonly joins: RateMeter
  readonly events: RateMeter
}

/** The part of a delivery's cost that comes from its size. */
const bytesPerDelivery = 16 * 1024

/** The number of deliveries, or of incoming frames, that one frame of this size counts as. */
export const weightOf = (bytes: number): number => 1 + Math.floor(bytes / bytesPerDelivery)

const words: Readonly<Record<Exceeded, string>> = {
  sender: 'from your address or account',
  topic: 'in this topic',
  node: 'on this server',
}
/** The message in the reply to a broadcast that isn't delivered. */
export const describeExceeded = (exceeded: Exceeded): string =>
  `MessagePerSecondRateLimitReached: Too many deliveries per second ${words[exceeded]}`

const unlimited = Number.MAX_SAFE_INTEGER

/** A sender who has used less of their share than this is still served when the whole node is at its limit. */
const frugalLevel = 0.9

/** The allowances of each address, sender, and topic, and of the whole node. */
export class Allowances {
  readonly settings: RealtimeSettings
  readonly joins: RateMeter
  readonly events: RateMeter
  readonly #deliveries: RateMeter
  readonly #trustsProxy: TrustsProxy
  readonly #addresses: Kept<AddressUse>
  /** A trusted proxy's address stands for its machine or network, not for one client. */
  readonly #nobody: AddressUse = {
    senderKey: undefined,
    mostConnections: unlimited,
    mostChannels: unlimited,
    connections: 0,
    channels: 0,
    joins: new RateMeter(unlimited, unlimited),
    events: new RateMeter(unlimited, unlimited),
  }
  readonly #senders: Kept<RateMeter>
  readonly #topics: Kept<RateMeter>

  constructor(settings: RealtimeSettings, trustsProxy: TrustsProxy) {
    this.settings = settings
    this.#trustsProxy = trustsProxy
    this.joins = new RateMeter(settings.maxJoinsPerSecond)
    this.events = new RateMeter(settings.maxEventsPerSecond)
    this.#deliveries = new RateMeter(settings.maxDeliveriesPerSecond)
    this.#addresses = new Kept<AddressUse>(
      (key) => ({
        senderKey: `address ${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`, // other nodes see it
        mostConnections: settings.maxConnectionsPerAddress,
        mostChannels: settings.maxChannelsPerAddress,
        connections: 0,
        channels: 0,
        joins: new RateMeter(settings.maxJoinsPerSecondPerAddress),
        events: new RateMeter(settings.maxEventsPerSecondPerAddress),
      }),
      ({ connections, joins, events }) => connections > 0 || joins.level < 1 || events.level < 1,
    )
    const isUsed = (meter: RateMeter) => meter.level < 1
    this.#senders = new Kept(() => new RateMeter(settings.maxDeliveriesPerSecondPerSender), isUsed)
    this.#topics = new Kept(() => new RateMeter(settings.maxDeliveriesPerSecondPerTopic), isUsed)
  }

  /** @param address of the client, as reported by the trusted proxies. */
  ofAddress(address: string): AddressUse {
    return this.#trustsProxy(address, 0) ? this.#nobody : this.#addresses.of(addressKey(address))
  }

  senderOf({ role, claims }: Caller, { senderKey }: AddressUse): Sender {
    if (role === 'service_role') return []
    const account = typeof claims.sub === 'string' ? [`account ${claims.sub}`] : []
    return senderKey === undefined ? account : [senderKey, ...account]
  }

  /** Counts deliveries before they are sent. @returns the exceeded limit; then nothing was counted. */
  draw(sender: Sender, deliveries: readonly Deliveries[]): Exceeded | undefined {
    const total = deliveries.reduce((sum, { count }) => sum + count, 0)
    if (sender.length > 0) {
      const own = sender.map((key) => this.#senders.of(key))
      if (!own.every(({ isOpen }) => isOpen)) return 'sender'
      const topics = deliveries.map(({ room }) => this.#topics.of(room))
      if (!topics.every(({ isOpen }) => isOpen)) return 'topic'
      const isFrugal = own.every(({ level }) => level >= frugalLevel) && this.#deliveries.level > -1
      if (!this.#deliveries.isOpen && !isFrugal) return 'node'
      for (const meter of own) meter.charge(total)
      deliveries.forEach(({ count }, index) => void topics[index]?.charge(count))
    }
    this.#deliveries.charge(total)
    return undefined
  }

  /** Counts deliveries that can't be rejected. */
  charge(sender: Sender, { room, count }: Deliveries) {
    for (const key of sender) this.#senders.of(key).charge(count)
    this.#topics.of(room).charge(count)
    this.#deliveries.charge(count)
  }
}

/** By key, created on first use. Unused entries are removed from time to time. */
class Kept<Value> {
  readonly #make: (key: string) => Value
  readonly #isUsed: (value: Value) => boolean
  readonly #values = new Map<string, Value>()
  #tidyAt = 1_000

  constructor(make: (key: string) => Value, isUsed: (value: Value) => boolean) {
    this.#make = make
    this.#isUsed = isUsed
  }

  of(key: string): Value {
    const known = this.#values.get(key)
    if (known) return known
    if (this.#values.size >= this.#tidyAt) this.#tidy()
    const value = this.#make(key)
    this.#values.set(key, value)
    return value
  }

  /** The next cleanup comes at twice the size. Connections, and half a minute of sending, bound the entries in use. */
  #tidy() {
    for (const [key, value] of this.#values) if (!this.#isUsed(value)) this.#values.delete(key)
    this.#tidyAt = Math.max(1_000, 2 * this.#values.size)
  }
}
