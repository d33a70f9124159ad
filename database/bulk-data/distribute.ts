/**
 * Distributes `total` by weight, no share above its cap, and exactly `total` as long as the caps allow it.
 * @returns one count for each weight.
 */
export function distribute(total: number, weights: Float64Array, cap: (place: number) => number): Uint32Array {
  const shares = new Uint32Array(weights.length)
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return shares
  let seen = 0
  let given = 0
  let left = total
  for (const [place, weight] of weights.entries()) {
    seen += weight
    const due = Math.round((total * seen) / sum)
    const share = Math.min(due - given, cap(place))
    shares[place] = share
    given = due
    left -= share
  }
  // The rest above the caps is distributed evenly among shares below theirs.
  while (left > 0) {
    const open = shares.reduce((count, share, place) => count + (hasRoom(place, share) ? 1 : 0), 0)
    if (open === 0) break
    const portion = Math.max(1, Math.floor(left / open))
    for (let place = 0; place < shares.length && left > 0; place++) {
      const share = shares[place] ?? 0
      if (!hasRoom(place, share)) continue
      const more = Math.min(portion, left, cap(place) - share)
      shares[place] = share + more
      left -= more
    }
  }
  return shares

  function hasRoom(place: number, share: number): boolean {
    return (weights[place] ?? 0) > 0 && share < cap(place)
  }
}
