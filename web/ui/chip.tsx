import { IconCheck } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './chip.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children' | 'className'> & {
  type: 'radio' | 'checkbox'
  children: string
}

/** One of a few options, backed by a native radio button or checkbox. */
export function Chip({ children, ...input }: Props) {
  return (
    <label className={classes.chip}>
      <input className="visually-hidden" {...input} />
      <span className={classes.face}>
        <IconCheck size={13} stroke={2.25} className={classes.check} aria-hidden="true" />
        {children}
      </span>
    </label>
  )
}
