import { profileTitle } from '@ovation/contract/texts/page-titles'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { Accent } from '../../domain/creators/accent.ts'
import { Returning } from '../../domain/payments/returning.tsx'
import { countPageView } from '../../lib/api/count-page-view.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useSession } from '../../lib/auth/session.tsx'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { useIsPhone } from '../../lib/browser/use-is-phone.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { ProfileHead } from './profile-head.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { type Profile, profileQuery } from './queries.ts'
import { tabsOf } from './tabs-of.ts'
import { useOffer } from './use-offer.ts'

// Most creators have none.
const Accented = lazy(() => import('../../domain/creators/accent.ts'))
const NoSuchProfile = lazy(() => import('./no-such-profile.tsx'))
const SubscribeBar = lazy(() => import('./subscribe-bar.tsx'))

/** PROF-01. Without a username it is the viewer's own profile, by their user id. */
export function ProfileScreen() {
  const { user } = useSession()
  const { username = user?.id ?? '' } = useParams()
  const profile = useQuery({ ...profileQuery(username), enabled: username !== '' })

  useProfileView(profile.data?.id, user === null ? 'visitor' : profile.data?.user_id === user.id ? 'own' : 'fan')

  if (profile.isPending)
    return (
      <Page title={profileTexts.title} heading={null}>
        <ProfileSkeleton />
      </Page>
    )
  if (profile.isError)
    return (
      <Page title={profileTexts.title} heading={null}>
        <LoadFailed order={1} title={profileTexts.loadFailed} of={profile} />
      </Page>
    )
  if (!profile.data)
    return (
      <Page title={profileTexts.title} heading={null}>
        <Suspense fallback={<ProfileSkeleton />}>
          <NoSuchProfile address={username} />
        </Suspense>
      </Page>
    )

  return <LoadedProfile profile={profile.data} address={username} own={user?.id === profile.data.user_id} />
}

function LoadedProfile({ profile, address, own }: { profile: Profile; address: string; own: boolean }) {
  const offer = useOffer(profile, own)
  const isPhone = useIsPhone()
  const showsPlans = tabsOf(profile, useSearchParams()[0].get('tab')).open === 'subscribe'
  const content = (accent: Accent) => (
    <>
      <ProfileHead
        profile={profile}
        address={address}
        own={own}
        offer={offer}
        isPhone={isPhone}
        showsPlans={showsPlans}
        accent={accent}
      />
      <ProfileTabs key={profile.id} profile={profile} own={own} accent={accent} />
      {isPhone && !showsPlans && offer.state === 'open' && (
        <Suspense>
          <SubscribeBar offer={offer} address={addressOf(profile)} accent={accent} />
        </Suspense>
      )}
    </>
  )
  const color = profile.layout?.accent_color
  // The viewer's own profile has two addresses, which the browser's history tells apart.
  const title = useParams().username ? profileTitle(nameOf(profile), addressOf(profile)) : profileTexts.title
  return (
    <Page title={title} heading={null} width="cover">
      <Returning />
      {color ? (
        <Suspense fallback={<ProfileSkeleton />}>
          <Accented color={color}>{content}</Accented>
        </Suspense>
      ) : (
        content({})
      )}
    </Page>
  )
}

/**
 * Counts profile views for the owner's dashboard (D7, DASH-14), and for the funnel, in which visitors count, too (STATX-02). The server counts a
 * viewer once a day; a failure is ignored.
 */
function useProfileView(profileId: string | undefined, viewer: 'own' | 'fan' | 'visitor'): void {
  useEffect(() => {
    if (!profileId || viewer === 'own') return
    countPageView('profile', profileId)
    if (viewer === 'fan') void supabase.rpc('record_profile_view', { profile_id: profileId }).then(() => undefined)
  }, [profileId, viewer])
}
