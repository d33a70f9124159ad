import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import classes from './table-frame.module.css'

/**
 * Where a long table stands. One that fits keeps its heads in sight while the page scrolls; one that is wider scrolls sideways, by the
 * arrow keys too if it has a name by which it can be told where it is a stop of its own.
 */
export function TableFrame({ className = '', ...props }: ComponentProps<'section'>) {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const box = frame.current
    const table = box?.querySelector('table')
    if (!box || !table) return
    // Widths are rounded, each by itself.
    const sizes = new ResizeObserver(() => {
      const fits = table.offsetWidth <= box.clientWidth + 1
      box.toggleAttribute('data-fits', fits)
      if (!fits && box.hasAttribute('aria-label')) box.tabIndex = 0
      else box.removeAttribute('tabindex')
    })
    sizes.observe(box)
    sizes.observe(table)
    return () => sizes.disconnect()
  }, [])
  return <section ref={frame} className={`surface ${classes.frame} ${className}`} {...props} />
}
