/*
 * Where toasts stand: at the lowest place where they cover no control (LOOP-18). A fixed corner can't keep that promise: wherever it is,
 * some screen has a button there.
 */

export type Box = { left: number; top: number; right: number; bottom: number }

export type Obstacle = Box & {
  /** It is in use, for example focused, or the bar of a screen: covering it is worse than covering anything else. */
  inUse?: boolean
  /** It is below an open dialog, and can be used once the dialog has closed. Often that is at once, and the toast must not move then. */
  isBelow?: boolean
}

/** The bottom edge, because the newest toast is below the others and none of them moves when it arrives. */
export type Place = { left: number; width: number; bottom: number }

const margin = 16
const gap = 8
const maxWidth = { phone: 440, wide: 384 }
/** From here on, toasts stand in a corner. */
const wideFrom = 768
/** A larger control, for example a picture or a card, can still be pressed beside the toast. */
const largeArea = 24_000

/** @param area the visible part of the window. @param height of all toasts together, in px. */
export function placeToasts(area: Box, height: number, obstacles: readonly Obstacle[]): Place {
  const spots = columnsOf(area).flatMap(({ left, width, preference }) => {
    const right = left + width
    const near = obstacles.filter((one) => one.left < right + gap && one.right > left - gap)
    const [below, above] = [near.filter(({ isBelow }) => isBelow), near.filter(({ isBelow }) => !isBelow)]
    const lowest = area.bottom - margin
    const bottoms = [lowest, ...near.map(({ top }) => top - gap)].filter(
      (bottom) => bottom <= lowest && bottom - height >= area.top + gap,
    )
    return (bottoms.length > 0 ? bottoms : [lowest]).map((bottom) => ({
      place: { left, width, bottom },
      cost: costOf({ left, right, top: bottom - height, bottom }, above),
      costBelow: costOf({ left, right, top: bottom - height, bottom }, below),
      // A corner further up is as good as the next corner, and neither is worth covering a control.
      distance: lowest - bottom + preference,
    }))
  })
  const [best] = spots.sort(
    (a, b) =>
      rounded(a.cost) - rounded(b.cost) || rounded(a.costBelow) - rounded(b.costBelow) || a.distance - b.distance,
  )
  return best?.place ?? { left: margin, width: maxWidth.phone, bottom: area.bottom - margin }
}

/**
 * Whether toasts stay where they are while the screen below them scrolls or changes. A toast that jumps is harder to read than the controls
 * below it are to reach; only what is in use comes first, and the edge of the window.
 */
export function mayStay(
  { left, width, bottom }: Place,
  area: Box,
  height: number,
  obstacles: readonly Obstacle[],
): boolean {
  const toasts = { left, right: left + width, top: bottom - height, bottom }
  const isInView = left >= area.left && toasts.right <= area.right && toasts.top >= area.top && bottom <= area.bottom
  return (
    isInView &&
    costOf(
      toasts,
      obstacles.filter(({ inUse }) => inUse),
    ) === 0
  )
}

/** Parts of large controls don't count as long as they are small. */
const rounded = (cost: number): number => (cost < 0.5 ? 0 : cost)

/** The left corner is the first choice on wide screens: forms and dialogs have their buttons on the right. */
function columnsOf({ left, right }: Box) {
  const room = right - left
  if (room < wideFrom) {
    const width = Math.min(maxWidth.phone, room - 2 * margin)
    return [{ left: left + (room - width) / 2, width, preference: 0 }]
  }
  const width = maxWidth.wide
  return [
    { left: left + margin, width, preference: 0 },
    { left: right - margin - width, width, preference: 120 },
  ]
}

function costOf(toasts: Box, obstacles: readonly Obstacle[]): number {
  let cost = 0
  for (const one of obstacles) {
    const across = Math.min(toasts.right, one.right) - Math.max(toasts.left, one.left)
    const down = Math.min(toasts.bottom, one.bottom) - Math.max(toasts.top, one.top)
    if (across <= 0 || down <= 0) continue
    const area = (one.right - one.left) * (one.bottom - one.top)
    cost += one.inUse ? 10 : area > largeArea ? (across * down) / area : 1
  }
  return cost
}
