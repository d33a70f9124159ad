type OnChange = (entry: IntersectionObserverEntry) => void
type Watcher = { observer: IntersectionObserver; watched: Map<Element, OnChange> }

const watchers = new Map<string, Watcher>()

/**
 * Reports when an element comes near the window or leaves. Elements with the same margin share one observer: the browser computes
 * intersections in every frame, and a list has hundreds of elements.
 * @param margin around the window, as `rootMargin`.
 * @returns a function that stops observing.
 */
export function observeIntersection(element: Element, margin: string, onChange: OnChange): () => void {
  const watcher = watchers.get(margin) ?? open(margin)
  watcher.watched.set(element, onChange)
  watcher.observer.observe(element)
  return () => {
    watcher.observer.unobserve(element)
    watcher.watched.delete(element)
  }
}

function open(rootMargin: string): Watcher {
  const watched = new Map<Element, OnChange>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watched.get(entry.target)?.(entry)
    },
    { rootMargin },
  )
  const watcher = { observer, watched }
  watchers.set(rootMargin, watcher)
  return watcher
}
