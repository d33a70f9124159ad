import { returnParameter, safeReturnPath } from '@ovation/contract/routes'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { hasAcceptedTerms } from '../../features/auth/queries.ts'
import { currentUser } from '../guards.ts'

export { AuthScreen as Component } from '../../features/auth/auth-screen.tsx'

/**
 * A person who is signed in has nothing to do here and goes on, to where they came from or home (AUTH-15, AUTH-18), unless they came
 * for a new password (AUTH-20), or from another service and the consent is missing (D16).
 * Signing in and signing up come by here too: the loaders run again when the session arrives.
 */
export const loader =
  () =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await currentUser()
    const { searchParams } = new URL(request.url)
    const tab = searchParams.get('tab')
    if (!user || tab === 'new-password') return null
    if (tab === 'welcome' && !(await hasAcceptedTerms(user.id))) return null
    throw redirect(safeReturnPath(searchParams.get(returnParameter)))
  }
