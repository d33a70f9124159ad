import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import { type Box, mayStay, type Obstacle, type Place, placeToasts } from './toast-place.ts'

/** The element around all toasts. */
export const stack = '[data-toasts][data-position="bottom-center"]'

const controls =
  'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="slider"], [role="menuitem"], [role="option"]'
/** A bar that keeps its place while the screen scrolls: toasts stand beside it, not on it. */
const bars = '[data-keep-clear]'
/** How soon toasts make room for what is in use, for example a bar that appears. */
const lookEveryMs = 250
const spaceBetween = 16

/** Where toasts cover no control, as style; undefined before the first one (LOOP-18). They stay where they appeared. */
export function useToastPlace(count: number): CSSProperties | undefined {
  const [style, setStyle] = useState<CSSProperties>()
  const before = useRef(0)
  const place = useRef<Place>(undefined)
  // Before paint: a toast must not appear at one place and jump to another.
  useLayoutEffect(() => {
    const [isFirst, hasMore] = [before.current === 0, count > before.current]
    before.current = count
    if (count === 0) return
    const look = ({ isFresh = false, always = false } = {}) => {
      const toasts = document.querySelector<HTMLElement>(stack)
      if (!toasts || (isTouched(toasts) && !always)) return
      const [area, height, obstacles] = [visibleArea(), heightOf(toasts), obstaclesBeside(toasts)]
      if (!isFresh && place.current && mayStay(place.current, area, height, obstacles)) return
      const next = placeToasts(area, height, obstacles)
      place.current = next
      setStyle({ left: next.left, width: next.width, bottom: window.innerHeight - next.bottom })
    }
    const lookAgain = () => look()
    // Again once the screen has adapted: the bottom bar comes and goes with the width.
    const lookTwice = () => {
      look({ isFresh: true })
      requestAnimationFrame(() => requestAnimationFrame(() => look({ isFresh: true })))
    }
    look({ isFresh: hasMore, always: isFirst })
    const timer = setInterval(lookAgain, lookEveryMs)
    document.addEventListener('focusin', lookAgain)
    window.addEventListener('resize', lookTwice)
    return () => {
      clearInterval(timer)
      document.removeEventListener('focusin', lookAgain)
      window.removeEventListener('resize', lookTwice)
    }
  }, [count])
  return style
}

/** A toast that somebody is about to close, or to read, stays where it is. */
const isTouched = (toasts: HTMLElement): boolean => toasts.matches(':hover') || toasts.contains(document.activeElement)

/** The window without a scroll bar and, on a phone, without the keyboard. */
function visibleArea(): Box {
  const { visualViewport, innerHeight } = window
  const top = visualViewport?.offsetTop ?? 0
  return {
    left: 0,
    top,
    right: document.documentElement.getBoundingClientRect().right,
    bottom: top + (visualViewport?.height ?? innerHeight),
  }
}

/** Of the whole stack, although a toast that just arrived is still growing. */
function heightOf(toasts: HTMLElement): number {
  const heights = [...toasts.querySelectorAll<HTMLElement>('[role="alert"], [role="status"]')].map(
    (one) => one.scrollHeight + 2,
  )
  return heights.reduce((sum, height) => sum + height, spaceBetween * Math.max(0, heights.length - 1))
}

/** What toasts must not cover. An open dialog makes everything below it unusable until it closes. */
function obstaclesBeside(toasts: HTMLElement): Obstacle[] {
  const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1)
  const { activeElement } = document
  return [...document.querySelectorAll(`${controls}, ${bars}`)].flatMap((element) => {
    if (toasts.contains(element) || element.checkVisibility?.({ visibilityProperty: true }) === false) return []
    const { left, top, right, bottom } = element.getBoundingClientRect()
    // Some controls are only there for screen readers.
    if (right - left < 4 || bottom - top < 4 || bottom < 0 || top > window.innerHeight) return []
    const isBelow = dialog !== undefined && !dialog.contains(element)
    const inUse = !isBelow && (element === activeElement || element.matches(bars))
    return { left, top, right, bottom, inUse, isBelow }
  })
}
