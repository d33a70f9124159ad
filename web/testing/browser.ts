/** Browser APIs that jsdom lacks and components need. jsdom has no layout, so these behave like an idle desktop. */
export function standInForTheBrowser(): void {
  window.matchMedia = (query) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  })
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  window.scrollTo = () => undefined
  URL.createObjectURL = () => 'blob:chosen-file'
  URL.revokeObjectURL = () => undefined
  Element.prototype.scrollIntoView = () => undefined
  window.IntersectionObserver = Watcher
}

const watchers = new Set<Watcher>()

class Watcher implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = []
  readonly #onChange: IntersectionObserverCallback
  readonly #watched = new Set<Element>()
  constructor(onChange: IntersectionObserverCallback) {
    this.#onChange = onChange
  }
  tell(element: Element, isIntersecting: boolean, rootBounds: DOMRect | null) {
    if (!this.#watched.has(element)) return
    const entry = {
      isIntersecting,
      target: element,
      boundingClientRect: element.getBoundingClientRect(),
      rootBounds,
    }
    this.#onChange([entry as unknown as IntersectionObserverEntry], this)
  }
  observe(element: Element) {
    this.#watched.add(element)
    watchers.add(this)
  }
  unobserve(element: Element) {
    this.#watched.delete(element)
  }
  disconnect() {
    this.#watched.clear()
    watchers.delete(this)
  }
  takeRecords() {
    return []
  }
}

/** Scrolls to an element: its observers see it. Nothing is in view by default. */
export function bringIntoSight(element: Element): void {
  for (const watcher of [...watchers]) watcher.tell(element, true, null)
}

/** Scrolls away from it. @param width of the window. */
export function bringOutOfSight(element: Element, width = window.innerWidth): void {
  for (const watcher of [...watchers]) watcher.tell(element, false, new DOMRect(0, 0, width, 1))
}
