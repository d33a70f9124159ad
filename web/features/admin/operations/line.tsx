import { ActionIcon } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './lines.module.css'

type Props = {
  /** The accessible name of the button that shows the details. */
  label: string
  head: ReactNode
  /** At the end of the line, before the button. */
  end: ReactNode
  /** The details. */
  children: ReactNode
}

/** An entry of a list in one line, with its details on demand (LOOP-24). */
export function Line({ label, head, end, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  return (
    <li className={`surface ${classes.line}`}>
      <div className={classes.head}>
        {head}
        <div className={classes.end}>
          {end}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={classes.open ?? ''}
            aria-label={label}
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronDown size={18} stroke={1.6} aria-hidden="true" />
          </ActionIcon>
        </div>
      </div>
      <div id={details} className={classes.more} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  )
}
