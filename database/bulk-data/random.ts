/** The kind of a number; each purpose has its own, so that the numbers are independent. */
const kinds = [
  'user',
  'profile',
  'identity',
  'person',
  'presence',
  'block',
  'product',
  'plan',
  'follow',
  'followed',
  'shuffle',
  'subscription',
  'payment',
  'ledgerAccount',
  'ledgerTransaction',
  'ledgerEntry',
  'stripe',
  'notification',
  'post',
  'postId',
  'media',
  'object',
  'like',
  'likeId',
  'comment',
  'commentId',
  'message',
  'messageId',
] as const
export type Kind = (typeof kinds)[number]

/** Stateless random numbers: the same seed, kind, and index give the same number, in whatever order rows are created. */
export type Chance = {
  random(kind: Kind, index: number): Random
  /** A version 4 UUID. Different indexes below 2^32 differ in the first eight digits, which become referral codes. */
  uuid(kind: Kind, index: number): string
}

export function buildChance(seed: number): Chance {
  const keys = new Map(kinds.map((kind, place) => [kind, mix(mix(seed) + place * 0x9e37_79b9)]))
  const key = (kind: Kind) => keys.get(kind) ?? 0
  return {
    random: (kind, index) => new Random(mix(mix(index + 1) ^ key(kind))),
    uuid(kind, index) {
      const first = mix((index ^ key(kind)) >>> 0)
      const rest = new Random(mix(first ^ key(kind)))
      const second = hex(rest.next())
      const third = hex(rest.next())
      const variant = '89ab'[rest.next() >>> 30]
      return `${hex(first)}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${hex(rest.next())}`
    },
  }
}

/** A small stream of numbers (splitmix32). Not for secrets. */
export class Random {
  #state: number

  constructor(state: number) {
    this.#state = state
  }

  /** 32 bits. */
  next(): number {
    this.#state = (this.#state + 0x9e37_79b9) >>> 0
    return mix(this.#state)
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.next() / 0x1_0000_0000
  }

  below(count: number): number {
    return Math.floor(this.fraction() * count)
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0]
  }

  /** Waiting times: mostly short, now and then long. */
  exponential(mean: number): number {
    return -Math.log(1 - this.fraction()) * mean
  }

  /** A place from 0 to count - 1 by Zipf's law: 0 is the most popular, and there is always a long tail. */
  zipf(count: number): number {
    const flatness = 0.15 // 1 minus the exponent: the first of 50,000 gets about one in thirty
    const top = (count + 1) ** flatness - 1
    return Math.min(count - 1, Math.floor((top * this.fraction() + 1) ** (1 / flatness)) - 1)
  }
}

/** Murmur3's finalizer: it maps the 32-bit numbers onto themselves one to one. */
function mix(value: number): number {
  let bits = value >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
