import { paths } from '@ovation/contract/paths'
import { operationsTexts } from '@ovation/contract/texts/operations'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { Page } from '../../../ui/page.tsx'
import classes from './admin-page.module.css'

const texts = operationsTexts.nav

const links = [
  [paths.admin, texts.admin],
  [paths.adminReports, texts.reports],
  [paths.adminMoney, texts.money],
  [paths.adminAudit, texts.audit],
  [paths.adminHealth, texts.health],
  [paths.stripeTest, texts.integration],
] as const

type Props = { title: string; actions?: ReactNode; children: ReactNode }

/** An admin screen, with links to the others. */
export function AdminPage({ title, actions, children }: Props) {
  return (
    <Page title={title} actions={actions} width="wide">
      <nav className={classes.nav} aria-label={texts.label}>
        {links.map(([path, name]) => (
          <NavLink key={path} to={path} end className={classes.link ?? ''}>
            {name}
          </NavLink>
        ))}
      </nav>
      {children}
    </Page>
  )
}
