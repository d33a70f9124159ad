import { type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { runInNextFrame, runInOwnFrame } from '../../lib/browser/frame-scheduler.ts'
import { observeIntersection } from '../../lib/browser/observe-intersection.ts'
import { useIsFromServer } from '../../lib/browser/use-is-from-server.ts'

/** How far from the viewport content stays rendered, in viewport heights. Pages have a larger margin than the posts in them. */
const keptScreens = { posts: 3, page: 5 }
/** The height of unseen content, in pixels: enough that content far below doesn't load yet. */
const guessedHeight = 750

/** The last known heights, so that a list has its full height, and its scroll position, as soon as the viewer returns. */
const heights = new Map<string, number>()
const heightKey = (id: string) => `${id} ${width()}`

/** Measuring forces a layout, so it happens once for each width. */
let knownWidth: number | undefined
function width(): number {
  if (knownWidth === undefined) {
    knownWidth = window.innerWidth
    window.addEventListener('resize', () => (knownWidth = undefined), { once: true })
  }
  return knownWidth
}

/** Stores the height. @returns false if the element is empty or has no layout, so that there is nothing to measure. */
function remember(id: string, element: HTMLElement): boolean {
  if (!element.firstChild) return false
  const { height } = element.getBoundingClientRect()
  if (height === 0) return false
  heights.set(heightKey(id), height)
  return true
}

/** Whether unmounting would lose something: the focus, typed text, or a playing video. */
const isInUse = (element: HTMLElement): boolean =>
  element.contains(document.activeElement) ||
  [...element.querySelectorAll('textarea')].some(({ value }) => value !== '') ||
  [...element.querySelectorAll('video')].some(({ paused }) => !paused)

/** The distance from the middle of the viewport, in pixels. After returning or jumping, that is where the viewer looks. */
const distanceOf = ({ boundingClientRect: box, rootBounds }: IntersectionObserverEntry): number =>
  Math.abs((box.top + box.bottom - (rootBounds ? rootBounds.top + rootBounds.bottom : 0)) / 2)

type Props = {
  of: keyof typeof keptScreens
  /** Unique among all windows of the app. */
  id: string
  /** At the top of the list: renders at once. Others render as they come near, each in a frame of its own. */
  first: boolean
  className?: string | undefined
  children: ReactNode
}

/**
 * A virtualized block of a long list: a few posts, or a page of them. Far from the viewport it is an empty box of the same height, so
 * that a thousand posts need no more elements than a few dozen, and nothing moves.
 *
 * Why no library: docs/decisions/0023-parts-that-no-library-makes-smaller.md.
 */
export function PostWindow({ of, id, first, className, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // An unseen page has no known height: its posts, which are virtualized too, determine it.
  const isFromServer = useIsFromServer()
  const [shown, setShown] = useState(
    // The server renders all: its page may stay as it is.
    () => isFromServer || first || (of === 'page' && !heights.has(heightKey(id))),
  )

  useEffect(() => {
    const element = box.current
    if (!element) return
    let drawn = element.firstChild !== null
    let cancel = () => {}
    const show = () => {
      drawn = true
      startTransition(() => setShown(true))
    }
    const hide = () => {
      if (isInUse(element) || !remember(id, element)) return
      drawn = false
      startTransition(() => setShown(false))
    }
    const stop = observeIntersection(element, `${keptScreens[of] * 100}% 0px`, (entry) => {
      // While a screenshot is taken, the viewport can be empty for a moment, and everything is far from it.
      if (entry.rootBounds && entry.rootBounds.width <= 1) return
      cancel()
      if (entry.isIntersecting === drawn) return
      cancel = entry.isIntersecting ? runInOwnFrame(show, distanceOf(entry)) : runInNextFrame(hide)
    })
    return () => {
      stop()
      cancel()
    }
  }, [of, id])

  // Before unmounting with the screen, so that the list has its height on return.
  useLayoutEffect(() => {
    const element = box.current
    return () => void (element && remember(id, element))
  }, [id])

  return (
    <div
      ref={box}
      className={className}
      style={shown ? undefined : { height: heights.get(heightKey(id)) ?? guessedHeight }}
    >
      {shown && children}
    </div>
  )
}
