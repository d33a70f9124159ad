import { Button, Group, Tabs } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts as texts } from '@ovation/contract/texts/dashboard'
import { IconBuildingBank, IconCalendarEvent, IconLink, IconPhoto, IconSettings, IconStack2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { latestApplicationQuery } from '../../domain/verification/latest-application-query.ts'
import { referralCode } from '../../lib/auth/referral.ts'
import { type Viewer, viewerQuery } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { copyLink } from '../../ui/share.ts'
import { TabStrip } from '../../ui/tab-strip.tsx'
import classes from './dashboard-screen.module.css'
import { Gate } from './gate.tsx'
import { Overview } from './overview.tsx'
import { dashboardKey } from './query-parts.ts'
import { SetupChecklist } from './setup-checklist.tsx'

// The first tab loads with the screen, the others when they open.
const SubscribersTab = lazy(() => import('./subscribers-tab.tsx'))
const FansTab = lazy(() => import('./fans-tab.tsx'))
const MessagesTab = lazy(() => import('./messages-tab.tsx'))
const FlowsTab = lazy(() => import('./flows-tab.tsx'))
const LinksTab = lazy(() => import('./links-tab.tsx'))
const ContentTab = lazy(() => import('./content-tab.tsx'))
const AnalyticsTab = lazy(() => import('./analytics/analytics-tab.tsx'))
const CommentsTab = lazy(() => import('./comments-tab.tsx'))
const EarningsTab = lazy(() => import('./earnings-tab.tsx'))
const ProductsTab = lazy(() => import('./products-tab.tsx'))
const GoalsTab = lazy(() => import('./goals-tab.tsx'))
const MonetizationTab = lazy(() => import('./monetization-tab.tsx'))
const ReferralsTab = lazy(() => import('./referrals-tab.tsx'))

/** DASH-01 */
export function DashboardScreen() {
  return (
    <ForViewer
      skeleton={
        <Page title={texts.title} width="wide">
          <ListSkeleton rows={3} />
        </Page>
      }
    >
      {(viewer) => <Dashboard viewer={viewer} />}
    </ForViewer>
  )
}

function Dashboard({ viewer }: { viewer: Viewer }) {
  useLiveDashboard(viewer)
  // DASH-09: admins count as approved.
  if (viewer.mayPublish)
    return (
      <Page title={texts.title} width="wide" actions={<Actions profileId={viewer.profileId} />}>
        {viewer.isCreator && <SetupChecklist viewer={viewer} />}
        <DashboardTabs profileId={viewer.profileId} />
      </Page>
    )
  // The checklist begins with the gate of DASH-08.
  return <Page title={texts.title}>{viewer.isCreator ? <SetupChecklist viewer={viewer} /> : <Gate />}</Page>
}

/** Listens to the tables behind the dashboard: counters are in the profile; messages, subscriptions, and applications aren't (D21). */
function useLiveDashboard({ profileId, userId }: Viewer): void {
  const queryClient = useQueryClient()
  const refresh = () => void queryClient.invalidateQueries({ queryKey: dashboardKey(profileId) })
  useLiveChange('notifications', `user_id=eq.${profileId}`, () => {
    refresh()
    // If the application was approved, the gate opens.
    void queryClient.invalidateQueries({ queryKey: latestApplicationQuery(userId).queryKey })
    void queryClient.invalidateQueries({ queryKey: viewerQuery(userId).queryKey })
  })
  useLiveChange('subscriptions', `creator_id=eq.${profileId}`, refresh)
  useLiveChange('profiles', `id=eq.${profileId}`, refresh)
  useLiveChange('messages', `recipient_id=eq.${profileId}`, refresh)
}

const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** DASH-04, DASH-05, DASH-06 */
function Actions({ profileId }: { profileId: string }) {
  return (
    <Group gap="xs" className={classes.actions}>
      <Button
        variant="default"
        leftSection={<IconLink {...icon} />}
        onClick={() => void copyLink(`${paths.auth}?ref=${referralCode(profileId)}`)}
      >
        {texts.copyReferral}
      </Button>
      <Button
        component={Link}
        to={paths.creatorOnboarding}
        variant="default"
        leftSection={<IconBuildingBank {...icon} />}
      >
        {texts.payouts}
      </Button>
      <Button
        component={Link}
        to={paths.privateSessions}
        variant="default"
        leftSection={<IconCalendarEvent {...icon} />}
      >
        {texts.sessions}
      </Button>
      <Button component={Link} to={paths.settings} variant="default" leftSection={<IconSettings {...icon} />}>
        {texts.settings}
      </Button>
      <Button component={Link} to={paths.subscriptionProducts} variant="default" leftSection={<IconStack2 {...icon} />}>
        {texts.products}
      </Button>
      <Button component={Link} to={paths.vault} variant="default" leftSection={<IconPhoto {...icon} />}>
        {texts.vault}
      </Button>
    </Group>
  )
}

const names = [
  'overview',
  'subscribers',
  'fans',
  'messages',
  'flows',
  'links',
  'analytics',
  'earnings',
  'content',
  'comments',
  'products',
  'goals',
  'monetization',
  'referrals',
] as const

function DashboardTabs({ profileId }: { profileId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('tab')
  const tab = names.find((name) => name === requested) ?? 'overview'
  return (
    <Tabs
      value={tab}
      onChange={(next) => setParameters(next && next !== 'overview' ? { tab: next } : {}, { replace: true })}
      keepMounted={false}
    >
      <TabStrip label={texts.title} names={names} open={tab} words={texts.tabs} />
      <Tabs.Panel value="overview">
        <Overview profileId={profileId} />
      </Tabs.Panel>
      <Suspense fallback={<ListSkeleton rows={4} />}>
        <Tabs.Panel value="content">
          <ContentTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="comments">
          <CommentsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="subscribers">
          <SubscribersTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="fans">
          <FansTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="messages">
          <MessagesTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="flows">
          <FlowsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <LinksTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="analytics">
          <AnalyticsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="earnings">
          <EarningsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="products">
          <ProductsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="goals">
          <GoalsTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="monetization">
          <MonetizationTab profileId={profileId} />
        </Tabs.Panel>
        <Tabs.Panel value="referrals">
          <ReferralsTab profileId={profileId} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}
