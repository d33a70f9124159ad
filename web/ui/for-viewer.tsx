import { commonTexts } from '@ovation/contract/texts/common'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSession } from '../lib/auth/session.tsx'
import { type Viewer, viewerQuery } from '../lib/auth/viewer.ts'
import { LoadFailed } from './load-failed.tsx'

type Props = {
  /** Shown until the viewer is known. */
  skeleton: ReactNode
  children: (viewer: Viewer) => ReactNode
}

/** Renders content that needs the viewer's profile. If there is none, shows an error with a retry (ERR-01). */
export function ForViewer({ skeleton, children }: Props) {
  const { user } = useSession()
  const viewer = useQuery({ ...viewerQuery(user?.id ?? ''), enabled: user !== null })
  if (viewer.data) return children(viewer.data)
  if (viewer.data === undefined && !viewer.isError) return skeleton
  return <LoadFailed title={commonTexts.profileMissing} message={viewer.isError ? undefined : null} of={viewer} />
}
