import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from './session.tsx'
import { ViewerContext, viewerQuery } from './viewer.ts'

/** Subscribes to the viewer's profile once for the whole tree: each post alone has four parts that use it. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { user, loading } = useSession()
  const { data } = useQuery({ ...viewerQuery(user?.id ?? ''), enabled: user !== null })
  const viewer = user ? data : null
  return <ViewerContext value={loading ? undefined : viewer}>{children}</ViewerContext>
}
