import { Loader } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './more-trigger.module.css'

type Props = ComponentProps<'button'> & {
  label: string
  /** While what was chosen is under way. The button keeps the focus, which a disabled one would lose. */
  pending?: boolean | undefined
}

/** The three dots. A plain button: every post and every comment of a list has one. */
export function MoreTrigger({ label, pending, className = '', ...button }: Props) {
  return (
    <button
      type="button"
      // The menu gives its target a class as well.
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
