import { paths } from '@ovation/contract/paths'
import type { User } from '@supabase/auth-js'
import type { QueryClient } from '@tanstack/react-query'
import type { Path } from 'react-router'
import { signInWaysQuery } from '../domain/accounts/sign-in-ways.ts'
import { isAdmin, requireUser } from './guards.ts'
import { Redirect } from './redirect.ts'

/** For the loader of an admin screen. @throws a redirect: to `/auth` when signed out (ADM-02), else home for non-admins (ADM-03). */
export async function requireAdmin(queryClient: QueryClient, location: Path): Promise<User> {
  const user = await requireUser(location)
  const ways = queryClient.ensureQueryData(signInWaysQuery()).catch(() => undefined)
  if (!(await isAdmin(queryClient, user))) throw new Redirect(paths.home)
  await ways // or the screen would flash up for an admin whose second factor is missing
  return user
}
