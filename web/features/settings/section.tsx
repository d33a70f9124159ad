import type { ReactNode } from 'react'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import classes from './settings.module.css'

type Props = { title: string; message?: ReactNode; danger?: boolean; children?: ReactNode }

/** A section of the settings: title, description, and content. Keeps the focus when a button is disabled or a row is removed. */
export function Section({ title, message, danger, children }: Props) {
  return (
    <section
      {...useKeptFocus<HTMLElement>()}
      className={`surface ${classes.section}`}
      data-danger={danger || undefined}
    >
      <h2 className={classes.sectionTitle}>{title}</h2>
      {message && <p className={classes.sectionMessage}>{message}</p>}
      {children}
    </section>
  )
}
