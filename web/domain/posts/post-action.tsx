import type { ComponentProps, ReactNode } from 'react'
import classes from './post-action.module.css'

type Props = ComponentProps<'button'> & {
  icon: ReactNode
  label: string
  /** A figure that shows in place of the label. */
  count?: { shown: string; inWords: string }
}

/**
 * A button under a post. In a narrow card its label is left to screen readers and to hovering. An attribute names it: each word that is
 * hidden by clipping would be a layer of its own to the browser, a handful in every post of a list.
 */
export function PostAction({ icon, label, count, ...button }: Props) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={count ? `${label}, ${count.inWords}` : label}
      title={count?.inWords ?? label}
      {...button}
    >
      {icon}
      <span className={count ? classes.count : classes.label}>{count ? count.shown : label}</span>
    </button>
  )
}
