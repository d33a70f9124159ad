/** Modules that the same screens need before they show. */
export type Part = {
  readonly screens: ReadonlySet<string>
  readonly modules: readonly string[]
  readonly bytes: number
  /** The parts that these modules import before they run, by their position in the list. */
  readonly imports: ReadonlySet<number>
}

/**
 * Decides which parts share a file. Fewer files cost fewer requests, and larger ones make screens load code that they don't need: two parts
 * become one as long as the requests that all screens save together outweigh those bytes.
 * @param requestBytes how many bytes a request is worth.
 * @param carriedBytes how many bytes one screen may load without needing them, so that none pays for what the others save.
 * @returns the modules of each file. No two files import each other.
 */
export function layOutFiles(parts: readonly Part[], requestBytes: number, carriedBytes: number): string[][] {
  const carried = new Map<string, number>()
  const files = new Map(
    parts.map((part, index) => [index, { ...part, screens: new Set(part.screens), modules: [...part.modules] }]),
  )

  /** A file and all that it imports. */
  function reachOf(from: number): Set<number> {
    const seen = new Set<number>()
    const waiting = [from]
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      if (seen.has(key)) continue
      seen.add(key)
      waiting.push(...(files.get(key)?.imports ?? []))
    }
    return seen
  }
  /** What each screen that loads only one of the two would load besides, with what that imports. */
  function addedBy(one: number, other: number): { screen: string; keys: number[]; bytes: number }[] {
    const added = (from: number, to: number) => {
      const reach = [...reachOf(to)]
      const known = files.get(to)?.screens
      return [...(files.get(from)?.screens ?? [])]
        .filter((screen) => !known?.has(screen))
        .map((screen) => {
          const keys = reach.filter((key) => !files.get(key)?.screens.has(screen))
          return { screen, keys, bytes: keys.reduce((sum, key) => sum + (files.get(key)?.bytes ?? 0), 0) }
        })
    }
    return [...added(one, other), ...added(other, one)]
  }
  /** @returns undefined when a screen would carry too much. */
  function gainOf(one: number, other: number, shared: number): number | undefined {
    let gain = shared * requestBytes
    for (const { screen, keys, bytes } of addedBy(one, other)) {
      if ((carried.get(screen) ?? 0) + bytes > carriedBytes) return undefined
      // What the other file imports are requests, too.
      gain -= bytes + (keys.length - 1) * requestBytes
    }
    return gain
  }
  /** Whether `from` imports `to` by way of another file: as one file they and that other would import each other. */
  const leadsAround = (from: number, to: number): boolean =>
    [...(files.get(from)?.imports ?? [])].some((key) => key !== to && reachOf(key).has(to))
  const findBest = (): readonly [number, number] | undefined => {
    let best: { pair: readonly [number, number]; gain: number } | undefined
    for (const [one, a] of files)
      for (const [other, b] of files) {
        if (other <= one) continue
        const shared = sizeOfCommon(a.screens, b.screens)
        // The most it can be: without what the files import.
        const atMost = shared * requestBytes - a.bytes * (b.screens.size - shared) - b.bytes * (a.screens.size - shared)
        if (atMost <= (best?.gain ?? 0)) continue
        const gain = gainOf(one, other, shared)
        if (gain === undefined || gain <= (best?.gain ?? 0)) continue
        if (leadsAround(one, other) || leadsAround(other, one)) continue
        best = { pair: [one, other], gain }
      }
    return best?.pair
  }
  const merge = (one: number, other: number) => {
    const [a, b] = [files.get(one), files.get(other)]
    if (!a || !b) throw new Error('Only files that exist are merged.')
    for (const { screen, keys, bytes } of addedBy(one, other)) {
      carried.set(screen, (carried.get(screen) ?? 0) + bytes)
      for (const key of keys) files.get(key)?.screens.add(screen)
    }
    files.delete(other)
    files.set(one, {
      screens: new Set([...a.screens, ...b.screens]),
      modules: [...a.modules, ...b.modules],
      bytes: a.bytes + b.bytes,
      imports: new Set([...a.imports, ...b.imports].filter((key) => key !== one && key !== other)),
    })
    for (const [key, file] of files)
      if (file.imports.has(other))
        files.set(key, { ...file, imports: new Set([...file.imports].map((each) => (each === other ? one : each))) })
  }

  for (let pair = findBest(); pair; pair = findBest()) merge(...pair)
  return [...files.values()].map(({ modules }) => modules)
}

function sizeOfCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let size = 0
  for (const each of a) if (b.has(each)) size++
  return size
}
