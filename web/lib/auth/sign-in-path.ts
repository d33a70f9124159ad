import { paths, returnParameter } from '@ovation/contract/paths'
import { actionParameter, formatAction, type PendingAction } from './pending-action.ts'

type Place = { pathname: string; search: string }

type Options = {
  /** What the visitor tried to do (LOOP-04); the screen shows it, and the user can continue with it afterwards. */
  action?: PendingAction | undefined
  /** The form to open and bring into view. */
  tab?: 'sign-in' | 'sign-up'
}

/** The sign-in screen, with the path to return to (D35). */
export function signInPath({ pathname, search }: Place, { action, tab }: Options = {}): string {
  const here = `${pathname}${action ? withAction(search, action) : search}`
  // On the sign-in screen itself, the path to return to stays.
  const next = pathname === paths.auth ? new URLSearchParams(search).get(returnParameter) : here
  return authPath({ next: next === paths.home ? null : next, tab })
}

/** @param next the path to return to. @param tab the open step. */
export function authPath({ next, tab }: { next: string | null; tab?: string | undefined }): string {
  const query = new URLSearchParams({ ...(tab && { tab }), ...(next && { [returnParameter]: next }) })
  return `${paths.auth}${query.size > 0 ? `?${query}` : ''}`
}

function withAction(search: string, action: PendingAction): string {
  const query = new URLSearchParams(search)
  query.set(actionParameter, formatAction(action))
  return `?${query}`
}
