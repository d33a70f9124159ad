import { verificationTexts as texts } from '@ovation/contract/texts/verification'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { latestApplicationQuery } from '../../domain/verification/latest-application-query.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { useViewer, viewerQuery } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { ApplicationForm } from './application-form.tsx'
import { ApplicationStatus } from './application-status.tsx'

/** VER-01: the status of the application, or the form to make one (VER-04). */
export function VerificationScreen() {
  return (
    <Page title={texts.title}>
      <Verification />
    </Page>
  )
}

function Verification() {
  const { user } = useSession()
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const userId = user?.id ?? ''
  const application = useQuery({ ...latestApplicationQuery(userId), enabled: user !== null })
  /** The rejected application that the user is replacing with a new one. */
  const [setAside, putAside] = useState<string>()

  // A decision comes with a notification, and changes the user's permissions.
  useLiveChange('notifications', viewer ? `user_id=eq.${viewer.profileId}` : null, () => {
    void queryClient.invalidateQueries({ queryKey: latestApplicationQuery(userId).queryKey })
    void queryClient.invalidateQueries({ queryKey: viewerQuery(userId).queryKey })
  })

  if (application.isPending) return <ListSkeleton rows={1} />
  if (application.isError) return <LoadFailed title={texts.loadFailed} of={application} />
  if (application.data && application.data.id !== setAside)
    return <ApplicationStatus application={application.data} onAgain={() => putAside(application.data?.id)} />
  return <ApplicationForm userId={userId} />
}
