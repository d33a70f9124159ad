import { IconSearch } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import classes from './search-field.module.css'

type Props = Omit<ComponentProps<'input'>, 'type'> & {
  /** Its label, and the placeholder unless `placeholder` is set. */
  label: string
}

/**
 * A search field. It is on every screen and above most lists, so it uses plain elements: they render faster and weigh less than a
 * general-purpose component.
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
