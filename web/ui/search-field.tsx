import { IconSearch } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './search-field.module.css'

type Props = Omit<ComponentProps<'input'>, 'type'> & {
  /** Its name, and what it shows while it is empty unless there is a `placeholder`. */
  label: string
}

/**
 * What is searched for. It stands on every screen and on top of most lists: plain elements are drawn, and weigh, less than a field that is
 * put together for every purpose.
 */
export function SearchField({ label, placeholder = label, className = '', ...input }: Props) {
  return (
    <div className={`${classes.field} ${className}`}>
      <IconSearch size={17} stroke={1.75} className={classes.icon} aria-hidden="true" />
      <input
        type="search"
        className={classes.input}
        aria-label={label}
        placeholder={placeholder}
        maxLength={100}
        autoComplete="off"
        {...input}
      />
    </div>
  )
}
