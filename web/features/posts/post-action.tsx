import type { ComponentProps, ReactNode } from 'react'
import classes from './post-action.module.css'

type Props = ComponentProps<'button'> & {
  icon: ReactNode
  label: string
  /** A figure that shows in place of the label. */
  count?: { shown: string; inWords: string }
}

/** A button under a post. In a narrow card its label is left to screen readers and to hovering. */
export function PostAction({ icon, label, count, ...button }: Props) {
  return (
    <button type="button" className={classes.button} title={count?.inWords ?? label} {...button}>
      {icon}
      {count ? (
        <>
          <span className="visually-hidden">{`${label}, ${count.inWords}`}</span>
          <span className={classes.count} aria-hidden="true">
            {count.shown}
          </span>
        </>
      ) : (
        <span className={classes.label}>{label}</span>
      )}
    </button>
  )
}
