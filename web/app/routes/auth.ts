import { returnParameter, safeReturnPath } from '@ovation/contract/routes'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { currentUser } from '../guards.ts'

export { AuthScreen as Component } from '../../features/auth/auth-screen.tsx'

/**
 * A person who is signed in has nothing to do here and goes on, to where they came from or home (AUTH-15, AUTH-18).
 * Signing in and signing up come by here too: the loaders run again when the session arrives.
 */
export const loader =
  () =>
  async ({ request }: LoaderFunctionArgs) => {
    if (await currentUser()) throw redirect(safeReturnPath(new URL(request.url).searchParams.get(returnParameter)))
    return null
  }
