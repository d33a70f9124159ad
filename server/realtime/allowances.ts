import { createHash } from 'node:crypto'
import { addressKey, type TrustsProxy } from '../http/client-address.ts'
import type { Caller } from '../postgres/caller.ts'
import { RateMeter } from './rate-meter.ts'
import type { Room } from './room.ts'
import type { RealtimeSettings } from './settings.ts'

/** Whose share of deliveries was used up. */
export type Exceeded = 'sender' | 'topic' | 'node'

/** Under which keys a sender's deliveries are counted. None: the operator's own programs, by their key or their address. */
export type Sender = readonly string[]

/** So many deliveries in this room. */
export type Deliveries = { readonly room: Room; readonly count: number }

/** What one address uses. The caller counts its connections and channels here. */
export type AddressUse = {
  /** Under which its deliveries are counted; undefined: they aren't. */
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

/** Deliveries that one frame of this size counts as, or frames that it counts as when it comes in. */
export const weightOf = (bytes: number): number => 1 + Math.floor(bytes / bytesPerDelivery)

const words: Readonly<Record<Exceeded, string>> = {
  sender: 'from your address or account',
  topic: 'in this topic',
  node: 'on this server',
}
/** In the words of the reply to a broadcast that isn't delivered. */
export const describeExceeded = (exceeded: Exceeded): string =>
  `MessagePerSecondRateLimitReached: Too many deliveries per second ${words[exceeded]}`

const unlimited = Number.MAX_SAFE_INTEGER

/** A sender who has used less of their share than this is still served when the node as a whole has nothing left. */
const frugalLevel = 0.9

/** What each address, sender and topic may do, and all of this node together. */
export class Allowances {
  readonly settings: RealtimeSettings
  readonly joins: RateMeter
  readonly events: RateMeter
  readonly #deliveries: RateMeter
  readonly #trustsProxy: TrustsProxy
  readonly #addresses: Kept<AddressUse>
  /** An address that is trusted as a proxy is this machine or network itself, and nobody in particular. */
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
        senderKey: `address ${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`, // other nodes hear it
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

  /** @param address of the client, as the trusted proxies tell it. */
  ofAddress(address: string): AddressUse {
    return this.#trustsProxy(address, 0) ? this.#nobody : this.#addresses.of(addressKey(address))
  }

  senderOf({ role, claims }: Caller, { senderKey }: AddressUse): Sender {
    if (role === 'service_role') return []
    const account = typeof claims.sub === 'string' ? [`account ${claims.sub}`] : []
    return senderKey === undefined ? account : [senderKey, ...account]
  }

  /** Counts what is about to be delivered. @returns what does not allow it; then nothing was counted. */
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

  /** Counts what can't be refused. */
  charge(sender: Sender, { room, count }: Deliveries) {
    for (const key of sender) this.#senders.of(key).charge(count)
    this.#topics.of(room).charge(count)
    this.#deliveries.charge(count)
  }
}

/** By key, made when it is first asked for. What is no longer in use is forgotten from time to time. */
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

  /** The next look comes when there are twice as many: what is in use is bounded by connections, and by what can be sent in half a minute. */
  #tidy() {
    for (const [key, value] of this.#values) if (!this.#isUsed(value)) this.#values.delete(key)
    this.#tidyAt = Math.max(1_000, 2 * this.#values.size)
  }
}
