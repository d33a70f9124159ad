import { paths } from '@ovation/contract/paths'
import { appConfig } from '../../lib/api/config.ts'
import { isAdmin, requireUser } from '../guards.ts'
import { Redirect } from '../redirect.ts'
import type { LoaderArguments } from '../router.ts'

export { IntegrationScreen as Component } from '../../features/admin/integration/integration-screen.tsx'

/** TEST-01, D42: for admins, and outside production for every user. The functions enforce the same. */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  if (appConfig().environment === 'production' && !(await isAdmin(queryClient, user))) throw new Redirect(paths.home)
}
