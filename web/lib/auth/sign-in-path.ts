import { paths, returnParameter } from '@ovation/contract/paths'
import { actionParameter, formatAction, type PendingAction } from './pending-action.ts'

type Place = { pathname: string; search: string }

/**
 * The sign-in screen, with the path to return to (D35).
 * @param action what the visitor tried to do (LOOP-04); the screen shows it, and the user can continue with it afterwards.
 */
export function signInPath({ pathname, search }: Place, action?: PendingAction): string {
  // On the sign-in screen itself, the path to return to stays.
  if (pathname === paths.auth) return authPath({ next: new URLSearchParams(search).get(returnParameter) })
  const here = `${pathname}${action ? withAction(search, action) : search}`
  return authPath({ next: here === paths.home ? null : here })
}

/** @param next the path to return to. @param tab the open step. */
export function authPath({ next, tab }: { next: string | null; tab?: string }): string {
  const query = new URLSearchParams({ ...(tab && { tab }), ...(next && { [returnParameter]: next }) })
  return `${paths.auth}${query.size > 0 ? `?${query}` : ''}`
}

function withAction(search: string, action: PendingAction): string {
  const query = new URLSearchParams(search)
  query.set(actionParameter, formatAction(action))
  return `?${query}`
}
