import { returnParameter, safeReturnPath } from '@ovation/contract/paths'
import { hasAcceptedTerms } from '../../features/auth/queries.ts'
import { currentUser } from '../guards.ts'
import { Redirect } from '../redirect.ts'
import type { LoaderArguments } from '../router.ts'

export { AuthScreen as Component } from '../../features/auth/auth-screen.tsx'

/**
 * Redirects signed-in users to the screen they came from, or home (AUTH-15, AUTH-18), unless they came
 * to set a new password (AUTH-20), or from another service and still have to accept the terms (D16).
 * This runs again after signing in and signing up, because a new session runs the loaders again.
 */
export async function loader({ location }: LoaderArguments): Promise<void> {
  const user = await currentUser()
  const parameters = new URLSearchParams(location.search)
  const tab = parameters.get('tab')
  if (!user || tab === 'new-password') return
  if (tab === 'welcome' && !(await hasAcceptedTerms(user.id))) return
  throw new Redirect(safeReturnPath(parameters.get(returnParameter)))
}
