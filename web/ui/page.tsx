import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { appConfig } from '../lib/api/config.ts'
import classes from './page.module.css'

type Props = {
  /** Stands in the browser's tab before the site's name, and, unless `heading` says otherwise, on the page. */
  title: string
  /** Replaces the visible heading; `null` when the screen draws its own `h1`. */
  heading?: ReactNode
  /** Stands beside the heading. */
  actions?: ReactNode
  /** What the screen is about, in a sentence below its heading. */
  lead?: ReactNode
  /** `narrow` for forms, `reading` for feeds and text, `wide` for grids; `full` leaves the space to the screen. */
  width?: 'narrow' | 'reading' | 'wide' | 'full'
  children: ReactNode
}

/** One screen: the column it stands in, its heading and the title of the browser's tab. */
export function Page({ title, heading = title, actions, lead, width = 'reading', children }: Props) {
  return (
    <div className={classes.page} data-width={width}>
      <title>{`${title} · ${appConfig().name}`}</title>
      {(heading !== null || actions) && (
        <header className={classes.header}>
          {heading !== null && (
            <Title order={1} className={classes.heading}>
              {heading}
            </Title>
          )}
          {actions}
        </header>
      )}
      {lead && <p className={classes.lead}>{lead}</p>}
      {children}
    </div>
  )
}
