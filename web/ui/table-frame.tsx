import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import classes from './table-frame.module.css'

/** Where a long table stands. One that fits keeps its heads in sight while the page scrolls; one that is wider scrolls sideways. */
export function TableFrame({ className = '', ...props }: ComponentProps<'section'>) {
  const frame = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const box = frame.current
    const table = box?.querySelector('table')
    if (!box || !table) return
    // Widths are rounded, each by itself.
    const sizes = new ResizeObserver(() => box.toggleAttribute('data-fits', table.offsetWidth <= box.clientWidth + 1))
    sizes.observe(box)
    sizes.observe(table)
    return () => sizes.disconnect()
  }, [])
  return <section ref={frame} className={`surface ${classes.frame} ${className}`} {...props} />
}
