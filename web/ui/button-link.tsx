import { Button, UnstyledButton } from '@mantine/core'
import { Link, type LinkProps } from 'react-router'

/** A link styled as a filled `Button` by class names alone: lists have one on every card, and a `Button` computes its styles for each. */
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
