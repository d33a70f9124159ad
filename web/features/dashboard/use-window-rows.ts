import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

/**
 * Virtualizes a long list: only rows near the viewport are rendered, so that 100,000 need no more elements than a few dozen.
 * @param estimate height of a row in px until it is measured.
 * @returns `rows` to render, each with the attributes that measure it; `before` and `after`, the heights of the rest, in px.
 */
export function useWindowRows<Box extends HTMLElement>(count: number, estimate: number) {
  const box = useRef<Box>(null)
  const [top, setTop] = useState(0)
  // After every render, because content above the list loads and grows.
  useLayoutEffect(() => {
    if (box.current) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({ count, estimateSize: () => estimate, overscan: 10, scrollMargin: top })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)
  return {
    box,
    rows: items.map(({ index }) => ({ index, attributes: { ref: virtualizer.measureElement, 'data-index': index } })),
    before: Math.max((items[0]?.start ?? top) - top, 0),
    after: last ? Math.max(virtualizer.getTotalSize() - (last.end - top), 0) : 0,
  }
}
