import { Loader } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './more-trigger.module.css'

type Props = ComponentProps<'button'> & {
  label: string
  /** True while the chosen action runs. The button isn't disabled, which would lose the focus. */
  pending?: boolean | undefined
}

/** The three dots. A plain element, because every post and comment of a list has one. */
export function MoreTrigger({ label, pending, className = '', ...button }: Props) {
  return (
    <button
      type="button"
      // The menu also passes a class.
      className={`reach ${classes.dots} ${className}`}
      aria-haspopup="menu"
      aria-label={label}
      title={label}
      aria-busy={pending}
      aria-disabled={pending}
      {...button}
    >
      {pending ? <Loader size={18} color="gray" /> : <IconDots size={20} stroke={1.7} />}
    </button>
  )
}
