import { createContext, useContext } from 'react'
import type { Location, RouteMatch } from 'react-router'

export type RouterState = {
  /** The current screen's location. */
  location: Location
  /** The matched routes from the outermost to the screen. `null` until the first one has loaded. */
  matches: RouteMatch[] | null
  /** Whether another screen is loading. */
  loading: boolean
  /** Whether the scroll position stays although the URL changed. */
  preventScrollReset: boolean
}

export const RouterStateContext = createContext<RouterState | null>(null)

/** The current location and the navigation state. */
export function useRouterState(): RouterState {
  const state = useContext(RouterStateContext)
  if (!state) throw new Error('useRouterState stands outside the router')
  return state
}
