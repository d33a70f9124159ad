import { type ReactNode, startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** How far from the window some posts stay on the screen, in heights of the window. */
const keptScreens = 3
/** Some posts that were never seen, in pixels: so far below, what comes after them need not load yet. */
const guessedHeight = 750

/** How high some posts were when they were last seen, so that a list that is come back to has its height, and its place, at once. */
const heights = new Map<string, number>()
const heightKey = (id: string) => `${id} ${width()}`

/** Asking the browser for it lays the page out, so it is asked once for each width. */
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
  const { height } = element.getBoundingClientRect()
  if (!element.firstChild || height === 0) return false
  heights.set(heightKey(id), height)
  return true
}

/** Whether taking them off would lose something: a word half written, a video that plays. */
const isInUse = (element: HTMLElement): boolean =>
  element.contains(document.activeElement) ||
  [...element.querySelectorAll('textarea')].some(({ value }) => value !== '') ||
  [...element.querySelectorAll('video')].some(({ paused }) => !paused)

type Props = {
  /** The first post's. */
  id: string
  /** At the top of the list: these come at once, the others as they come near, in the pauses between whatever else is to be done. */
  first: boolean
  children: ReactNode
}

/**
 * A few posts of a long list. Far from the window they are an empty box of the height they had: a thousand posts hold no more of the
 * document than a few dozen, and nothing moves.
 */
export function PostWindow({ id, first, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(first)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        if (entry.isIntersecting) return startTransition(() => setShown(true))
        if (isInUse(element) || !remember(id, element)) return
        setShown(false)
      },
      { rootMargin: `${keptScreens * 100}% 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])

  // Before it goes with its screen: whoever comes back finds the list as high as it was.
  useLayoutEffect(() => {
    const element = box.current
    return () => void (element && remember(id, element))
  }, [id])

  return (
    <div ref={box} style={shown ? undefined : { height: heights.get(heightKey(id)) ?? guessedHeight }}>
      {shown && children}
    </div>
  )
}
