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
  const files = new Map(parts.map((part, index) => [index, { ...part, modules: [...part.modules] }]))

  const gainOf = (a: Part, b: Part): number => {
    const shared = sizeOfCommon(a.screens, b.screens)
    const bytes = a.bytes * (b.screens.size - shared) + b.bytes * (a.screens.size - shared)
    return shared * requestBytes - bytes
  }
  /** What each screen that needs only one of the two would load of the other. */
  const addedBy = (a: Part, b: Part): (readonly [screen: string, bytes: number])[] => [
    ...[...a.screens].filter((screen) => !b.screens.has(screen)).map((screen) => [screen, b.bytes] as const),
    ...[...b.screens].filter((screen) => !a.screens.has(screen)).map((screen) => [screen, a.bytes] as const),
  ]
  const isTooMuch = (a: Part, b: Part): boolean =>
    addedBy(a, b).some(([screen, bytes]) => (carried.get(screen) ?? 0) + bytes > carriedBytes)
  /** Whether `from` imports `to` by way of another file: as one file they and that other would import each other. */
  const leadsAround = (from: number, to: number): boolean => {
    const seen = new Set([from])
    const waiting = [...(files.get(from)?.imports ?? [])].filter((key) => key !== to)
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      if (key === to) return true
      if (seen.has(key)) continue
      seen.add(key)
      waiting.push(...(files.get(key)?.imports ?? []))
    }
    return false
  }
  const findBest = (): readonly [number, number] | undefined => {
    let best: { pair: readonly [number, number]; gain: number } | undefined
    for (const [one, a] of files)
      for (const [other, b] of files) {
        if (other <= one) continue
        const gain = gainOf(a, b)
        if (gain <= (best?.gain ?? 0) || isTooMuch(a, b) || leadsAround(one, other) || leadsAround(other, one)) continue
        best = { pair: [one, other], gain }
      }
    return best?.pair
  }
  const merge = (one: number, other: number) => {
    const [a, b] = [files.get(one), files.get(other)]
    if (!a || !b) throw new Error('Only files that exist are merged.')
    for (const [screen, bytes] of addedBy(a, b)) carried.set(screen, (carried.get(screen) ?? 0) + bytes)
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
