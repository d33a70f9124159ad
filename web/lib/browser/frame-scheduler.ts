const heavy = new Map<() => void, number>()
const light = new Set<() => void>()
let isRunning = false

/**
 * Does something that takes a few milliseconds in the pause after a frame, and nothing else of its kind in that pause: ten such things that
 * are asked for together would keep the screen still, and whoever scrolls would see it.
 * @param rank the lowest comes first; of equals, what was asked for first.
 * @returns takes it back, as long as it has not been done.
 */
export function runInOwnFrame(work: () => void, rank = 0): () => void {
  heavy.set(work, rank)
  if (!isRunning) afterFrame()
  return () => void heavy.delete(work)
}

/** What takes less: done together with the next thing that has its own frame, as each change of the document has a price of its own. */
export function runInNextFrame(work: () => void): () => void {
  light.add(work)
  if (!isRunning) afterFrame()
  return () => void light.delete(work)
}

function afterFrame(): void {
  isRunning = true
  requestAnimationFrame(() => setTimeout(doNext))
}

function doNext(): void {
  let next: (() => void) | undefined
  let lowest = Number.POSITIVE_INFINITY
  for (const [work, rank] of heavy)
    if (rank < lowest) {
      next = work
      lowest = rank
    }
  const now = next ? [next, ...light] : [...light]
  light.clear()
  if (next) heavy.delete(next)
  isRunning = heavy.size > 0
  if (isRunning) afterFrame()
  for (const work of now) work()
}
