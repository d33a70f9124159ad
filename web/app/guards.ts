import type { User } from '@supabase/auth-js'
import type { QueryClient } from '@tanstack/react-query'
import type { Path } from 'react-router'
import { currentSession, sessionInStorage } from '../lib/auth/auth-client.ts'
import { owesSecondFactor } from '../lib/auth/second-factor.ts'
import { signInPath } from '../lib/auth/sign-in-path.ts'
import { type Viewer, viewerQuery } from '../lib/auth/viewer.ts'
import { Redirect } from './redirect.ts'

/**
 * The signed-in user, if any. While the second factor is pending, there is none (AUTH-19). A user whose session can't be refreshed
 * now is signed in: the screen shows what it has, or that the server can't be reached.
 */
export async function currentUser(): Promise<User | null> {
  const session = await currentSession().catch(sessionInStorage)
  return session && !owesSecondFactor(session) ? session.user : null
}

/**
 * For the loader of a screen that needs a signed-in user (GEN-37).
 * Waits until the stored session has been read, so that nobody is redirected too early. It decides what the screen shows;
 * row-level security decides what is allowed (GEN-35).
 * @throws a redirect to `/auth` for visitors.
 */
export async function requireUser(location: Path): Promise<User> {
  const user = await currentUser()
  if (!user) throw new Redirect(signInPath(location))
  return user
}

/** Whether the viewer is an admin. If the profile can't be read, no (ADM-03). */
export async function isAdmin(queryClient: QueryClient, user: User): Promise<boolean> {
  const viewer = await queryClient.ensureQueryData(viewerQuery(user.id)).catch(() => null)
  return viewer?.isAdmin ?? false
}

/** Sends requests that depend on the viewer as soon as it is known. The loader doesn't wait for them; the screen shows a failure. */
export function whenViewerKnown(queryClient: QueryClient, user: User, start: (viewer: Viewer) => void): void {
  void queryClient
    .ensureQueryData(viewerQuery(user.id))
    .then((viewer) => viewer && start(viewer))
    .catch(() => undefined)
}
