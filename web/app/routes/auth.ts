import { returnParameter, safeReturnPath } from '@ovation/contract/routes'
import { hasAcceptedTerms } from '../../features/auth/queries.ts'
import { currentUser } from '../guards.ts'
import { Redirect } from '../redirect.ts'
import type { LoaderArguments } from '../router.ts'

export { AuthScreen as Component } from '../../features/auth/auth-screen.tsx'

/**
 * A person who is signed in has nothing to do here and goes on, to where they came from or home (AUTH-15, AUTH-18), unless they came
 * for a new password (AUTH-20), or from another service and the consent is missing (D16).
 * Signing in and signing up come by here too: the loaders run again when the session arrives.
 */
export async function loader({ location }: LoaderArguments): Promise<void> {
  const user = await currentUser()
  const parameters = new URLSearchParams(location.search)
  const tab = parameters.get('tab')
  if (!user || tab === 'new-password') return
  if (tab === 'welcome' && !(await hasAcceptedTerms(user.id))) return
  throw new Redirect(safeReturnPath(parameters.get(returnParameter)))
}
