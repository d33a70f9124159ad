import { createContext, useContext } from 'react'
import type { Location, RouteMatch } from 'react-router'

export type RouterState = {
  /** Of the screen that shows. */
  location: Location
  /** What shows: the routes from the outermost to the screen. `null` until the first one is there. */
  matches: RouteMatch[] | null
  /** Whether another screen is on its way. */
  loading: boolean
  /** Whether the page stays scrolled where it is, though the address is a new one. */
  preventScrollReset: boolean
}

export const RouterStateContext = createContext<RouterState | null>(null)

/** Where the app is, and whether it is on its way elsewhere. */
export function useRouterState(): RouterState {
  const state = useContext(RouterStateContext)
  if (!state) throw new Error('useRouterState stands outside the router')
  return state
}
