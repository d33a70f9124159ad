import type { QueryClient } from '@tanstack/react-query'
import { whenAnswered } from '../lib/query-client.ts'
import { viewerQuery } from '../lib/viewer.ts'
import { currentUser } from './guards.ts'
import type { AppRouter } from './router.ts'

/** As long as placeholders stay unseen (ui/list-skeleton.module.css). */
const patienceMs = 150

/**
 * Waits a moment for the first screen and what it asks. Both were asked for early (early.ts) and are mostly here by now: then all of it is
 * drawn at once, and not an empty page first, then placeholders, then the posts, then the posts as this viewer sees them.
 */
export function beforeFirstDrawing(router: AppRouter, queryClient: QueryClient): Promise<unknown> {
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
  return Promise.race([everything(router, queryClient).catch(() => undefined), patience])
}

async function everything({ opened }: AppRouter, queryClient: QueryClient): Promise<void> {
  const user = await currentUser()
  if (user) void queryClient.prefetchQuery(viewerQuery(user.id))
  await opened
  await whenAnswered(queryClient)
}
