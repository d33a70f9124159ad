import { openedLinksCookie } from '@ovation/contract/opened-links'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useSession } from './session.tsx'
import { ViewerContext, viewerQuery } from './viewer.ts'

/** Subscribes to the viewer's profile once for the whole tree: each post alone has four parts that use it. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { user, loading } = useSession()
  const { data } = useQuery({ ...viewerQuery(user?.id ?? ''), enabled: user !== null })
  const viewer = user ? data : null
  const isSignedIn = Boolean(viewer)
  useEffect(() => {
    // Rarely, so not part of the shell. Without a connection, the next visit tries again.
    if (isSignedIn && document.cookie.includes(openedLinksCookie))
      import('./claim-opened-links.ts').then(
        (module) => module.claimOpenedLinks(),
        () => undefined,
      )
  }, [isSignedIn])
  return <ViewerContext value={loading ? undefined : viewer}>{children}</ViewerContext>
}
