import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { onlineManager } from '@tanstack/react-query'
import { lazy, memo, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useLocation } from 'react-router'
import { Resuming } from '../../domain/pending-actions/resuming.tsx'
import { useLiveMessages } from '../../features/messages/use-live-messages.ts'
import { usePresence } from '../../features/messages/use-presence.ts'
import { LiveNewPosts } from '../../features/notifications/live-new-posts.tsx'
import { useLiveNotifications } from '../../features/notifications/use-live-notifications.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useIdle } from '../../lib/browser/use-idle.ts'
import { useIsFromServer } from '../../lib/browser/use-is-from-server.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { ScrollRestoration } from '../scroll-restoration.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { LazyCreate } from './lazy-create.tsx'
import rightRailClasses from './right-rail.module.css'
import { RouteProgress } from './route-progress.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'
import { useHasLeftRail, useRightRail } from './use-rails.ts'

// Only on wide screens, and after what the screen itself needs.
const LeftRail = lazy(() => import('./left-rail.tsx').then((module) => ({ default: module.LeftRail })))
const RightRail = lazy(() => import('./right-rail.tsx'))
// Earlier only without a connection, when it has the screen's data.
const Offline = lazy(() => import('../offline/offline.tsx'))

/** The frame of every screen (GEN-18..GEN-33). Its parts re-render when their own data changes, not with each screen. */
export function Shell() {
  const { user, loading } = useSession()
  const isPhone = useIsPhone()
  const main = useMainFocus()
  const thread = useOpenThread()
  const hasLeftRail = useHasLeftRail(user !== null)

  return (
    <div className={classes.shell} data-bottom-bar={!loading} data-thread={thread}>
      <a className={classes.skip} href="#main">
        {commonTexts.skipToContent}
      </a>
      <RouteProgress />
      <TopBar />
      <OfflineWhenIdle />
      <div className={classes.frame}>
        {hasLeftRail && (
          <Suspense fallback={<div className={classes.railPlace} />}>
            <LeftRail />
          </Suspense>
        )}
        <main id="main" className={classes.main} ref={main} tabIndex={-1}>
          <ErrorBoundary>
            <Outlet />
          </ErrorBoundary>
        </main>
        <RightRailPlace userId={user?.id} />
      </div>
      <Footer />
      {!loading && isPhone && <BottomBar signedIn={user !== null} />}
      <LazyCreate part="overlays" />
      <Resuming />
      <ScrollRestoration />
      <LiveEverywhere />
    </div>
  )
}

/** Whether a conversation is open: a phone shows it without the bars (LOOP-23). */
function useOpenThread(): boolean {
  const { pathname, search } = useLocation()
  return pathname === paths.messages && new URLSearchParams(search).has('with')
}

/** The place of the right rail, which is reserved at once, so that its content moves nothing when it loads. */
function RightRailPlace({ userId }: { userId: string | undefined }) {
  const rail = useRightRail(userId)
  if (!rail.show) return null
  return (
    <div className={rightRailClasses.rail}>
      <RightRailWhenIdle profile={rail.profile} />
    </div>
  )
}

function RightRailWhenIdle({ profile }: { profile: string | null }) {
  // On the server's page it is there, also for visitors without scripts. The browser takes it over once its code has loaded.
  const [isFromServer] = useState(useIsFromServer())
  return (useIdle() || isFromServer) && <LazyRightRail profile={profile} />
}

/** Memo, because an update would take it away until its code has loaded. */
const LazyRightRail = memo(function LazyRightRail({ profile }: { profile: string | null }) {
  return (
    <Suspense>
      <RightRail profile={profile} />
    </Suspense>
  )
})

function OfflineWhenIdle() {
  return (
    (useIdle() || !onlineManager.isOnline()) && (
      <Suspense>
        <Offline />
      </Suspense>
    )
  )
}

/** Live updates for every screen. Separate from the shell, so that neither re-renders with the other. */
const LiveEverywhere = memo(function LiveEverywhere() {
  const viewer = useViewer()
  useLiveNotifications(viewer?.profileId)
  useLiveMessages(viewer?.profileId)
  usePresence(viewer?.profileId)
  return viewer && <LiveNewPosts viewerId={viewer.profileId} />
})

/** After a navigation, moves the focus to the start of the new screen, so that keyboards and screen readers don't stay on removed content. */
function useMainFocus() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
