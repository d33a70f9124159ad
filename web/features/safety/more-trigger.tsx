import { IconDots } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './more-trigger.module.css'

/** The three dots. A plain button: every post and every comment of a list has one. */
export function MoreTrigger({ label, ...button }: { label: string } & ComponentProps<'button'>) {
  return (
    <button type="button" className={classes.dots} aria-haspopup="menu" aria-label={label} title={label} {...button}>
      <IconDots size={20} stroke={1.7} />
    </button>
  )
}
