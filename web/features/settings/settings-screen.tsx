import { Anchor, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { paths } from '@ovation/contract/paths'
import { settingsTexts as texts } from '@ovation/contract/texts/settings'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { LinkOutcomeNote } from './link-outcome-note.tsx'
import classes from './settings.module.css'

/** SET-03. Each tab's code loads when it is opened. */
const panels = {
  account: lazy(() => import('./account-tab.tsx')),
  subscriptions: lazy(() => import('./subscriptions-tab.tsx')),
  privacy: lazy(() => import('./privacy-tab.tsx')),
  notifications: lazy(() => import('./notifications-tab.tsx')),
  stripe: lazy(() => import('./stripe-tab.tsx')),
}
type Tab = keyof typeof panels
const names = Object.keys(panels) as Tab[]

/** SET-01 */
export function SettingsScreen() {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('tab')
  const tab = names.find((name) => name === requested) ?? 'account'
  const isWide = useMediaQuery('(min-width: 75em)', false, { getInitialValueInEffect: false })
  const skeleton = <ListSkeleton rows={3} />
  return (
    <Page title={texts.title} width={isWide ? 'wide' : 'reading'}>
      <LinkOutcomeNote />
      <Tabs
        value={tab}
        onChange={(next) => setParameters(next && next !== 'account' ? { tab: next } : {}, { replace: true })}
        keepMounted={false}
        orientation={isWide ? 'vertical' : 'horizontal'}
        className={classes.tabs ?? ''}
      >
        <TabStrip label={texts.title} names={names} open={tab} words={texts.tabs} />
        {names.map((name) => {
          const Panel = panels[name]
          return (
            <Tabs.Panel key={name} value={name}>
              <ForViewer skeleton={skeleton}>
                {(viewer) => (
                  <Suspense fallback={skeleton}>
                    <Panel viewer={viewer} />
                  </Suspense>
                )}
              </ForViewer>
            </Tabs.Panel>
          )
        })}
      </Tabs>
      <MoreLinks />
    </Page>
  )
}

/** SET-04 */
function MoreLinks() {
  const { label, ...labels } = texts.links
  const links = [
    [paths.privacyPolicy, labels.privacy],
    [paths.termsOfService, labels.terms],
    [paths.support, labels.support],
    [paths.creatorOnboarding, labels.payouts],
  ] as const
  return (
    <nav aria-label={label}>
      <ul className={classes.links}>
        {links.map(([to, text]) => (
          <li key={to}>
            <Anchor component={Link} to={to} c="dimmed" size="sm" underline="always">
              {text}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  )
}
