import { Button, UnstyledButton } from '@mantine/core'
import { Link, type LinkProps } from 'react-router'

/** A link that looks as a filled `Button` does, by its classes alone: a list holds one on every card, and a `Button` works its look out for each. */
export function ButtonLink({ className = '', children, ...link }: LinkProps) {
  const { root, inner, label } = Button.classes
  return (
    <Link className={`mantine-Button-root ${UnstyledButton.classes.root} ${root} ${className}`} {...link}>
      <span className={inner}>
        <span className={`mantine-Button-label ${label}`}>{children}</span>
      </span>
    </Link>
  )
}
