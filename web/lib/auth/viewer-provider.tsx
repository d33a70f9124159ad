import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from './session.tsx'
import { ViewerContext, viewerQuery } from './viewer.ts'

/** Follows the viewer's profile once for all who ask: each post alone has four parts that do. */
export function ViewerProvider({ children }: { children: ReactNode }) {
  const { user, loading } = useSession()
  const { data } = useQuery({ ...viewerQuery(user?.id ?? ''), enabled: user !== null })
  const viewer = user ? data : null
  return <ViewerContext value={loading ? undefined : viewer}>{children}</ViewerContext>
}
