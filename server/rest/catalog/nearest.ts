/** The minimum similarity of a suggestion. */
const minSimilarity = 0.75

/** The most similar of the known names, if it is similar enough. */
export function findNearest(name: string, candidates: Iterable<string>, minimum = minSimilarity): string | undefined {
  // Names of very different lengths are never similar, and the cost grows with the square of the length.
  if (name.length > 63) return undefined
  let best: string | undefined
  let bestSimilarity = minimum
  for (const candidate of candidates) {
    const similarity = similar(name.toLowerCase(), candidate.toLowerCase())
    if (similarity < 1 && similarity >= bestSimilarity && (best === undefined || similarity > bestSimilarity)) {
      best = candidate
      bestSimilarity = similarity
    }
  }
  return best
}

/** 1 for equal, 0 for nothing in common: the edit distance against the longer length. */
function similar(a: string, b: string): number {
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 1 : 1 - editDistance(a, b) / longer
}

/** The number of characters to insert, delete, replace, or swap with the next one. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped))
    }
  }
  return at(a.length, b.length)
}
