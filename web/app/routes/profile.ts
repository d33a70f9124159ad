import { profileQuery } from '../../features/profiles/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { ProfileScreen as Component } from '../../features/profiles/profile-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(profileQuery(params.username ?? ''))
}
