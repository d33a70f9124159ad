import { paths } from '@ovation/contract/paths'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'
import { presentUsernameQuery } from '../../domain/accounts/present-username.ts'
import { ProfileSkeleton } from './profile-skeleton.tsx'

/** PROF-03, unless it is a former username, which leads to the present one (PAGE-02). */
export default function NoSuchProfile({ address }: { address: string }) {
  const { search, hash } = useLocation()
  const present = useQuery(presentUsernameQuery(address))
  if (present.isPending) return <ProfileSkeleton />
  if (present.data) return <Navigate to={{ pathname: paths.profile(present.data), search, hash }} replace />
  return <Navigate to={paths.notFound} state={{ missing: profileTexts.notFound }} replace />
}
