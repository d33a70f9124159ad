import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { ComposeScreen as Component } from '../../features/messages/mass-messages/compose-screen.tsx'

/** MASS-01. The composer reads what it opens: it isn't kept for later. */
export async function loader({ location }: LoaderArguments): Promise<void> {
  await requireUser(location)
}
