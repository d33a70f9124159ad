import { type ReactNode, useEffect, useRef, useState } from 'react'

/** How far from the window a page of posts stays on the screen, in heights of the window. */
const keptScreens = 3

/** What a page was high when it was last seen, so that a list that is come back to has its height, and its place, at once. */
const heights = new Map<string, number>()
const heightKey = (id: string) => `${id} ${window.innerWidth}`

/** Whether taking the page off would lose something: a word half written, a video that plays. */
const isInUse = (element: HTMLElement): boolean =>
  element.contains(document.activeElement) ||
  [...element.querySelectorAll('textarea')].some(({ value }) => value !== '') ||
  [...element.querySelectorAll('video')].some(({ paused }) => !paused)

/**
 * One page of a long list. Far from the window it is an empty box of the height it had: a thousand posts hold no more of the
 * document than a few dozen, and nothing moves.
 */
export function PostWindow({ id, near, children }: { id: string; near: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const known = heights.get(heightKey(id))
  const [shown, setShown] = useState(near || known === undefined)

  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        if (entry.isIntersecting) return setShown(true)
        // A box without height has not been laid out; it can be no measure.
        if (entry.boundingClientRect.height === 0 || isInUse(element)) return
        heights.set(heightKey(id), entry.boundingClientRect.height)
        setShown(false)
      },
      { rootMargin: `${keptScreens * 100}% 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])

  return (
    <div ref={box} style={shown ? undefined : { height: heights.get(heightKey(id)) }}>
      {shown && children}
    </div>
  )
}
