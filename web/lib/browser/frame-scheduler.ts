const heavy = new Map<() => void, number>()
const light = new Set<() => void>()
let isRunning = false

/**
 * Runs a task of a few milliseconds after a frame, one task per frame: ten in a row would block the page and make scrolling
 * stutter.
 * @param rank the lowest runs first; equal ranks run in order.
 * @returns a function that cancels the task.
 */
export function runInOwnFrame(work: () => void, rank = 0): () => void {
  heavy.set(work, rank)
  if (!isRunning) afterFrame()
  return () => void heavy.delete(work)
}

/** Runs a lighter task together with the next scheduled one, because each change of the document has a fixed cost. */
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
