import { paths } from '@ovation/contract/paths'
import { adminTexts } from '@ovation/contract/texts/admin'
import { operationsTexts } from '@ovation/contract/texts/operations'
import {
  IconActivityHeartbeat,
  IconBell,
  IconChartBar,
  IconChartLine,
  IconChecklist,
  IconFlag,
  IconHome,
  IconId,
  IconLayoutDashboard,
  IconLifebuoy,
  IconListSearch,
  IconPlugConnected,
  IconReceipt,
  IconUsers,
} from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { Page } from '../../../ui/page.tsx'
import { useLiveTotals } from '../use-live-totals.ts'
import classes from './admin-page.module.css'

const texts = operationsTexts.nav

/** The tabs of the panel (ADM-04), in the order of the rail. */
export const panelTabs = ['pending', 'reviewed', 'users', 'support', 'notifications', 'polls'] as const
export type PanelTab = (typeof panelTabs)[number]

/** In the address like a tab, but a screen of its own (FIND-06). */
export const frontPageTab = 'front-page'

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const
export const panelIcons: Readonly<Record<PanelTab, ReactNode>> = {
  pending: <IconId {...icon} />,
  reviewed: <IconChecklist {...icon} />,
  users: <IconUsers {...icon} />,
  support: <IconLifebuoy {...icon} />,
  notifications: <IconBell {...icon} />,
  polls: <IconChartBar {...icon} />,
}

const screens = [
  [paths.adminReports, texts.reports, <IconFlag key="reports" {...icon} />],
  [paths.adminPayments(), texts.payments, <IconReceipt key="payments" {...icon} />],
  [paths.adminMoney, texts.money, <IconChartLine key="money" {...icon} />],
  [paths.adminTab(frontPageTab), texts.frontPage, <IconHome key="front-page" {...icon} />],
  [paths.adminAudit, texts.audit, <IconListSearch key="audit" {...icon} />],
  [paths.adminHealth, texts.health, <IconActivityHeartbeat key="health" {...icon} />],
  [paths.stripeTest, texts.integration, <IconPlugConnected key="integration" {...icon} />],
] as const

type Props = {
  title: string
  actions?: ReactNode
  /** The panel's own tabs. Other screens link to them instead. */
  tabs?: ReactNode
  children: ReactNode
}

/**
 * An admin screen beside the one rail of the admin area (LOOP-24): a strip above it where there is no room for a rail. The overview, where
 * admins begin, has all of its entries in view.
 */
export function AdminPage({ title, actions, tabs, children }: Props) {
  const isOverview = useIsOpen(paths.adminOverview)
  return (
    <div className={classes.frame}>
      <nav className={classes.rail} aria-label={texts.label} data-all={isOverview} ref={useOpenEntryInView()}>
        <Entry to={paths.adminOverview} icon={<IconLayoutDashboard {...icon} />}>
          {texts.overview}
        </Entry>
        <div className={classes.group}>{tabs ?? <PanelEntries />}</div>
        <div className={classes.group}>
          {screens.map(([to, name, picture]) => (
            <Entry key={to} to={to} icon={picture}>
              {name}
            </Entry>
          ))}
        </div>
      </nav>
      <div className={classes.content}>
        <Page title={`${title} · ${adminTexts.title}`} heading={title} actions={actions} width="wide">
          {children}
        </Page>
      </div>
    </div>
  )
}

function Entry({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  const isOpen = useIsOpen(to)
  return (
    <Link to={to} className={classes.entry ?? ''} aria-current={isOpen ? 'page' : undefined}>
      {icon}
      {children}
    </Link>
  )
}

/** The entries of the panel differ in their tab, which a NavLink doesn't compare. */
function useIsOpen(to: string): boolean {
  const { pathname, search } = useLocation()
  const [path, query] = to.split('?')
  const tabIn = (text: string | undefined) => new URLSearchParams(text).get('tab')
  return pathname === path && (path !== paths.admin || tabIn(search) === tabIn(query))
}

function PanelEntries() {
  const totals = useLiveTotals()
  return panelTabs.map((tab) => (
    <Entry key={tab} to={tab === 'pending' ? paths.admin : paths.adminTab(tab)} icon={panelIcons[tab]}>
      <PanelLabel tab={tab} total={totals[tab]} />
    </Entry>
  ))
}

/** A tab's name, with its count as a badge. Its text is the one of ADM-04; the badge shows only the number. */
export function PanelLabel({ tab, total }: { tab: PanelTab; total: number | undefined }) {
  const [name, count] = adminTexts.tabs[tab](total).split(/ \((.*)\)$/)
  return (
    <span className={classes.label}>
      <span className={classes.name}>{name}</span>
      {count && (
        <>
          {' '}
          <span className={classes.count}>
            <span>(</span>
            {count}
            <span>)</span>
          </span>
        </>
      )}
    </span>
  )
}

/** On a phone, scrolls the strip, and only the strip, to the open entry. */
function useOpenEntryInView() {
  const rail = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address has another open entry.
  useLayoutEffect(() => {
    const open = rail.current?.querySelector<HTMLElement>('[aria-current="page"], [aria-selected="true"]')
    if (rail.current && open)
      rail.current.scrollLeft = open.offsetLeft - (rail.current.clientWidth - open.clientWidth) / 2
  }, [pathname, search])
  return rail
}
