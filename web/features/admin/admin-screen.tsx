import { Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { adminTexts as texts } from '@ovation/contract/texts/admin'
import { IconId } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { AdminList } from './admin-list.tsx'
import classes from './admin-screen.module.css'
import { ApplicationRow, type Open } from './application-list.tsx'
import { type Application, applicationsQuery } from './application-queries.ts'
import railClasses from './operations/admin-page.module.css'
import { AdminPage, panelTabs as names, PanelLabel, panelIcons } from './operations/admin-page.tsx'
import { useLiveTotals } from './use-live-totals.ts'

// Rarely opened.
const UsersTab = lazy(() => import('./users-tab.tsx'))
const SupportTab = lazy(() => import('./support-tab.tsx'))
const BroadcastTab = lazy(() => import('./broadcast-tab.tsx'))
const PollsTab = lazy(() => import('./polls-tab.tsx'))
const DetailsDialog = lazy(() => import('./details-dialog.tsx'))
const ReviewDialog = lazy(() => import('./review-dialog.tsx'))

/** ADM-01, ADM-04 */
export function AdminScreen() {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('tab')
  const tab = names.find((name) => name === requested) ?? 'pending'
  const totals = useLiveTotals()
  const [opened, setOpened] = useState<{ dialog: Parameters<Open>[0]; application: Application } | null>(null)
  const open: Open = (dialog, application) => setOpened({ dialog, application })
  const close = () => setOpened(null)
  const isRail = useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false })

  const tabs = (
    <Tabs.List aria-label={texts.title}>
      {names.map((name) => (
        <Tabs.Tab key={name} value={name} leftSection={panelIcons[name]} className={railClasses.entry}>
          <PanelLabel tab={name} total={totals[name]} />
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )

  return (
    // The tabs are entries of the rail, so that the area has a single navigation (LOOP-24).
    <Tabs
      value={tab}
      onChange={(next) => setParameters(next && next !== 'pending' ? { tab: next } : {}, { replace: true })}
      keepMounted={false}
      orientation={isRail ? 'vertical' : 'horizontal'}
      variant="none"
      className={classes.tabs}
    >
      <AdminPage title={texts.tabs[tab](undefined)} tabs={tabs}>
        <Suspense fallback={<ListSkeleton />}>
          <Tabs.Panel value="pending">
            <Applications kind="pending" onOpen={open} />
          </Tabs.Panel>
          <Tabs.Panel value="reviewed">
            <Applications kind="reviewed" onOpen={open} />
          </Tabs.Panel>
          <Tabs.Panel value="users">
            <UsersTab />
          </Tabs.Panel>
          <Tabs.Panel value="support">
            <SupportTab />
          </Tabs.Panel>
          <Tabs.Panel value="notifications">
            <BroadcastTab />
          </Tabs.Panel>
          <Tabs.Panel value="polls">
            <PollsTab />
          </Tabs.Panel>
        </Suspense>
      </AdminPage>
      <Suspense>
        {opened?.dialog === 'details' && (
          <DetailsDialog
            application={opened.application}
            onDecide={(decision) => open(decision, opened.application)}
            onClose={close}
          />
        )}
        {opened && opened.dialog !== 'details' && (
          <ReviewDialog application={opened.application} decision={opened.dialog} onClose={close} />
        )}
      </Suspense>
    </Tabs>
  )
}

const dialogTexts = {
  pending: { label: texts.applications.pendingList, empty: texts.applications.noPending },
  reviewed: { label: texts.applications.reviewedList, empty: texts.applications.noReviewed },
}

type Props = { kind: 'pending' | 'reviewed'; onOpen: Open }

function Applications({ kind, onOpen }: Props) {
  const query = useInfiniteQuery(applicationsQuery(kind))
  return (
    <AdminList
      query={query}
      rows={query.data?.pages.flatMap((page) => page.applications)}
      {...dialogTexts[kind]}
      icon={IconId}
      failure={{ title: texts.applications.loadFailed }}
    >
      {(application) => <ApplicationRow key={application.id} application={application} onOpen={onOpen} />}
    </AdminList>
  )
}
