import { type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { runInNextFrame, runInOwnFrame } from '../../lib/browser/frame-scheduler.ts'
import { observeIntersection } from '../../lib/browser/observe-intersection.ts'

/** How far from the window posts stay on the screen, in heights of the window; and the boxes of a page, which come before them. */
const keptScreens = { posts: 3, page: 5 }
/** What was never seen, in pixels: so far below, what comes after it need not load yet. */
const guessedHeight = 750

/** How high they were when they were last seen, so that a list that is come back to has its height, and its place, at once. */
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

/** An empty box, or one that has not been laid out, can be no measure. @returns whether it was one. */
function remember(id: string, element: HTMLElement): boolean {
  if (!element.firstChild) return false
  const { height } = element.getBoundingClientRect()
  if (height === 0) return false
  heights.set(heightKey(id), height)
  return true
}

/** Whether taking them off would lose something: a word half written, a video that plays. */
const isInUse = (element: HTMLElement): boolean =>
  element.contains(document.activeElement) ||
  [...element.querySelectorAll('textarea')].some(({ value }) => value !== '') ||
  [...element.querySelectorAll('video')].some(({ paused }) => !paused)

/** Distance from the middle of the window, in pixels: that is where a viewer looks who returns or jumps far down. */
const distanceOf = ({ boundingClientRect: box, rootBounds }: IntersectionObserverEntry): number =>
  Math.abs((box.top + box.bottom - (rootBounds ? rootBounds.top + rootBounds.bottom : 0)) / 2)

type Props = {
  of: keyof typeof keptScreens
  /** Not any other window's of the app. */
  id: string
  /** At the top of the list: these come at once, the others as they come near, each in a frame of its own. */
  first: boolean
  className?: string | undefined
  children: ReactNode
}

/**
 * A few posts of a long list, or a page of them. Far from the window it is an empty box of the height it had: a thousand posts hold no more of
 * the document than a few dozen, and nothing moves.
 */
export function PostWindow({ of, id, first, className, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  // A page that was never seen has to be measured by its posts, which are boxes themselves.
  const [shown, setShown] = useState(() => first || (of === 'page' && !heights.has(heightKey(id))))

  useEffect(() => {
    const element = box.current
    if (!element) return
    let drawn = element.firstChild !== null
    let takeBack = () => {}
    const put = () => {
      drawn = true
      startTransition(() => setShown(true))
    }
    const takeOff = () => {
      if (isInUse(element) || !remember(id, element)) return
      drawn = false
      startTransition(() => setShown(false))
    }
    const stop = observeIntersection(element, `${keptScreens[of] * 100}% 0px`, (entry) => {
      // A window that is nothing for a moment, as while its picture is taken, is far from everything.
      if (entry.rootBounds && entry.rootBounds.width <= 1) return
      takeBack()
      if (entry.isIntersecting === drawn) return
      takeBack = entry.isIntersecting ? runInOwnFrame(put, distanceOf(entry)) : runInNextFrame(takeOff)
    })
    return () => {
      stop()
      takeBack()
    }
  }, [of, id])

  // Before it unmounts with its screen, so that the list has its height on return.
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
