/** A repeatable source of numbers: the same seed draws the same picture on every machine. */
export type Random = {
  /** From `min` up to but not including `max`. */
  between(min: number, max: number): number
  /** An integer from `min` to `max`, both included. */
  whole(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
}

/** The mulberry32 generator: four billion seeds, plenty for pictures, but not for secrets. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    between: (min, max) => min + next() * (max - min),
    whole: (min, max) => Math.floor(min + next() * (max - min + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
