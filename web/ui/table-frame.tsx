import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import classes from './table-frame.module.css'

/**
 * A container for long tables. A table that fits keeps its heads in view while the page scrolls. A wider one scrolls sideways, and with the
 * arrow keys too if it has a name, which makes it a labeled tab stop.
 */
export function TableFrame({ className = '', ...props }: ComponentProps<'section'>) {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const box = frame.current
    const table = box?.querySelector('table')
    if (!box || !table) return
    // Each width is rounded separately.
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
