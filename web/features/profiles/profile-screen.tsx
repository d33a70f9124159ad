import { paths } from '@ovation/contract/routes'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { useSession } from '../../lib/session.tsx'
import { nameOf } from '../../lib/viewer.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { Returning } from '../payments/returning.tsx'
import { ProfileHead } from './profile-head.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { profileQuery } from './queries.ts'

/** PROF-01. Without a username it is the viewer's own profile, by their user id. */
export function ProfileScreen() {
  const { user } = useSession()
  const { username = user?.id ?? '' } = useParams()
  const profile = useQuery({ ...profileQuery(username), enabled: username !== '' })

  if (profile.isPending)
    return (
      <Page title={profileTexts.title} heading={null}>
        <ProfileSkeleton />
      </Page>
    )
  if (profile.isError)
    return (
      <Page title={profileTexts.title} heading={null}>
        <ErrorState
          order={1}
          title={profileTexts.loadFailed}
          onRetry={() => profile.refetch()}
          retrying={profile.isFetching}
        />
      </Page>
    )
  if (!profile.data) return <NoSuchProfile />

  const own = user?.id === profile.data.user_id
  return (
    <Page title={nameOf(profile.data)} heading={null}>
      <Returning from="tip" />
      <ProfileHead profile={profile.data} address={username} own={own} />
      <ProfileTabs key={profile.data.id} profile={profile.data} own={own} />
    </Page>
  )
}

/** PROF-03 */
function NoSuchProfile() {
  useEffect(() => toast.error(profileTexts.notFound), [])
  return <Navigate to={paths.notFound} replace />
}
