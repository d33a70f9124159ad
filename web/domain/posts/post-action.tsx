import type { ComponentProps, ReactNode } from 'react'
import classes from './post-action.module.css'

type Props = ComponentProps<'button'> & {
  icon: ReactNode
  label: string
  /** Shown instead of the label. */
  count?: { shown: string; inWords: string }
}

/**
 * A button under a post. In a narrow card, its label shows only on hover and to screen readers. It is an attribute, because the browser
 * would need a layer for each visually hidden text, several in every post of a list.
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
