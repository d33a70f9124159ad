import { paths } from '@ovation/contract/paths'
import { commonTexts } from '@ovation/contract/texts/common'
import { memo, useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'
import { Resuming } from '../../domain/joining/resuming.tsx'
import { useLiveMessages } from '../../features/messages/use-live-messages.ts'
import { usePresence } from '../../features/messages/use-presence.ts'
import { LiveNewPosts } from '../../features/notifications/live-new-posts.tsx'
import { useLiveNotifications } from '../../features/notifications/use-live-notifications.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { ScrollRestoration } from '../scroll-restoration.ts'
import { BottomBar } from './bottom-bar.tsx'
import { Footer } from './footer.tsx'
import { RouteProgress } from './route-progress.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'

/** The frame of every screen (GEN-18..GEN-33). Its parts re-render when their own data changes, not with each screen. */
export function Shell() {
  const { user, loading } = useSession()
  const isPhone = useIsPhone()
  const main = useMainFocus()
  const thread = useOpenThread()

  return (
    <div className={classes.shell} data-bottom-bar={!loading} data-thread={thread}>
      <a className={classes.skip} href="#main">
        {commonTexts.skipToContent}
      </a>
      <RouteProgress />
      <TopBar />
      <main id="main" className={classes.main} ref={main} tabIndex={-1}>
        <ErrorBoundary>
          <Outlet />
        </ErrorBoundary>
      </main>
      <Footer />
      {!loading && isPhone && <BottomBar signedIn={user !== null} />}
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
