import { returnParameter, safeReturnPath } from '@ovation/contract/paths'
import { lazy } from 'react'
import { frontPageQuery } from '../../domain/front-page/queries.ts'
import { actionTargetQuery } from '../../domain/pending-actions/action-target.ts'
import { AuthScreen } from '../../features/auth/auth-screen.tsx'
import { hasAcceptedTerms } from '../../features/auth/has-accepted-terms.ts'
import { frontCreatorsQuery } from '../../features/discover/front-creators-query.ts'
import { actionIn } from '../../lib/auth/parse-pending-action.ts'
import { currentUser } from '../guards.ts'
import { Redirect } from '../redirect.ts'
import type { LoaderArguments } from '../router.ts'

// Loads beside the form, which can be used at once.
const FrontCreators = lazy(() => import('../../features/discover/front-creators.tsx'))

export const Component = () => <AuthScreen front={<FrontCreators />} />

/**
 * Redirects signed-in users to the screen they came from, or home (AUTH-15, AUTH-18), unless they came
 * to set a new password (AUTH-20), or from another service and still have to accept the terms (D16).
 * This runs again after signing in and signing up, because a new session runs the loaders again.
 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await currentUser()
  const parameters = new URLSearchParams(location.search)
  const tab = parameters.get('tab')
  const next = safeReturnPath(parameters.get(returnParameter))
  if (user && tab !== 'new-password' && !(tab === 'welcome' && !(await hasAcceptedTerms(user.id))))
    throw new Redirect(next)
  const action = actionIn(next)
  void queryClient.prefetchQuery(frontPageQuery())
  void (action ? queryClient.prefetchQuery(actionTargetQuery(action)) : queryClient.prefetchQuery(frontCreatorsQuery()))
}
