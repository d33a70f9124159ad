import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { appConfig } from '../lib/api/config.ts'
import classes from './page.module.css'

type Props = {
  /** Shown in the browser's tab before the site's name, and as the heading unless `heading` is set. */
  title: string
  /** Replaces the visible heading; `null` when the screen draws its own `h1`. */
  heading?: ReactNode
  /** Shown beside the heading. */
  actions?: ReactNode
  /** A sentence about the screen, below its heading. */
  lead?: ReactNode
  /**
   * `cover` for a column under a picture across the whole frame, `narrow` for forms, `reading` for feeds and text, `pictures` for large ones,
   * `wide` for grids, `full` for screens with their own layout.
   */
  width?: 'narrow' | 'reading' | 'pictures' | 'wide' | 'full' | 'cover'
  children: ReactNode
}

/** A screen: its column, its heading, and the title of the browser's tab. */
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
