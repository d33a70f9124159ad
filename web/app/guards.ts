import type { User } from '@supabase/auth-js'
import type { QueryClient } from '@tanstack/react-query'
import type { Path } from 'react-router'
import { currentSession } from '../lib/auth/auth-client.ts'
import { owesSecondFactor } from '../lib/auth/second-factor.ts'
import { signInPath } from '../lib/auth/sign-in-path.ts'
import { type Viewer, viewerQuery } from '../lib/auth/viewer.ts'
import { Redirect } from './redirect.ts'

/** Who is signed in. Nobody is while the session owes its second factor (AUTH-19). */
export async function currentUser(): Promise<User | null> {
  const session = await currentSession()
  return session && !owesSecondFactor(session) ? session.user : null
}

/**
 * For the loader of a screen that needs a person (GEN-37).
 * It waits for the stored session, so nobody is sent away while it is being read. It decides what is shown, not what is
 * allowed: that is row-level security's (GEN-35).
 * @throws a redirect to `/auth` for signed-out visitors.
 */
export async function requireUser(location: Path): Promise<User> {
  const user = await currentUser()
  if (!user) throw new Redirect(signInPath(location))
  return user
}

/** Whether a screen shows itself as it does to admins. A profile that cannot be read is no admin's (ADM-03). */
export async function isAdmin(queryClient: QueryClient, user: User): Promise<boolean> {
  const viewer = await queryClient.ensureQueryData(viewerQuery(user.id)).catch(() => null)
  return viewer?.isAdmin ?? false
}

/** Starts requests that need to know the viewer as soon as it is known. The loader does not wait for them; the screen tells a failure. */
export function whenViewerKnown(queryClient: QueryClient, user: User, start: (viewer: Viewer) => void): void {
  void queryClient
    .ensureQueryData(viewerQuery(user.id))
    .then((viewer) => viewer && start(viewer))
    .catch(() => undefined)
}
