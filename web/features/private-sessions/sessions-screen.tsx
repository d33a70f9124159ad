import { Tabs } from '@mantine/core'
import { sessionTexts as texts } from '@ovation/contract/texts/private-sessions'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Returning } from '../../domain/payments/returning.tsx'
import { zoneWithOffset } from '../../domain/private-sessions/times.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { BookingsTab } from './bookings-tab.tsx'

// Only for creators.
const OffersTab = lazy(() => import('./offers-tab.tsx'))
const AvailabilityTab = lazy(() => import('./availability-tab.tsx'))

/** PRIV-01 */
export function SessionsScreen() {
  return (
    <Page title={texts.title} lead={`${texts.introduction} ${texts.zone(zoneWithOffset())}`}>
      <Returning />
      <ForViewer skeleton={<ListSkeleton rows={3} />}>{(viewer) => <Sessions viewer={viewer} />}</ForViewer>
    </Page>
  )
}

const names = ['bookings', 'offers', 'availability'] as const

/** Approved creators have two more tabs; a fan sees only the bookings. */
function Sessions({ viewer }: { viewer: Viewer }) {
  const [parameters, setParameters] = useSearchParams()
  if (!viewer.mayPublish) return <BookingsTab viewer={viewer} />
  const requested = parameters.get('tab')
  const tab = names.find((name) => name === requested) ?? 'bookings'
  return (
    <Tabs
      value={tab}
      onChange={(next) => setParameters(next && next !== 'bookings' ? { tab: next } : {}, { replace: true })}
      keepMounted={false}
    >
      <TabStrip label={texts.title} names={names} open={tab} words={texts.tabs} />
      <Tabs.Panel value="bookings">
        <BookingsTab viewer={viewer} />
      </Tabs.Panel>
      <Suspense fallback={<ListSkeleton rows={2} />}>
        <Tabs.Panel value="offers">
          <OffersTab creatorId={viewer.profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="availability">
          <AvailabilityTab creatorId={viewer.profileId} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}
