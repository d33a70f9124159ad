import { createContext, useContext } from 'react'
import type { RouterState } from './router.ts'

export const RouterStateContext = createContext<RouterState | null>(null)

/** Where the app is, and whether it is on its way elsewhere. */
export function useRouterState(): RouterState {
  const state = useContext(RouterStateContext)
  if (!state) throw new Error('useRouterState stands outside the router')
  return state
}
