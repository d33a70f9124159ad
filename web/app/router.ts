import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import {
  createPath,
  type Location,
  matchRoutes,
  type NavigateOptions,
  type Navigator,
  type Params,
  type Path,
  type RouteMatch,
  resolvePath,
  type To,
} from 'react-router'
import { FailedScreen } from './failed-screen.tsx'
import type { AppHistory } from './history.ts'
import { Redirect } from './redirect.ts'
import type { RouterState } from './router-state.ts'
import { saveScrollPosition } from './scroll-restoration.ts'

/*
 * Opens screens: it loads a screen's code, runs its loader, which guards the screen and starts its requests, and only then changes the
 * address and shows the screen. Matching, links, and hooks are React Router's, below its public `<Router>`. Its data router does the same
 * but adds 19 kB (gzip) before the first screen for forms, fetchers, and servers (docs/architecture.md).
 */

export type LoaderArguments = { queryClient: QueryClient; location: Location; params: Params }

/** What a file of `routes/` exports. */
export type ScreenModule = {
  Component: ComponentType
  /**
   * Called once whenever the screen's address is entered, and again when somebody else is signed in.
   * It starts requests and guards; it does not wait for data. @throws Redirect to show another address in its place.
   */
  loader?: (args: LoaderArguments) => void | Promise<void>
}

export type ScreenRoute = {
  path?: string
  Component?: ComponentType
  element?: ReactNode
  children?: ScreenRoute[]
  /** Brings the code of a screen that is not there yet. */
  load?: Load
}
type Load = () => Promise<ScreenModule>

export type AppRouter = {
  readonly state: RouterState
  /** @returns how to stop listening. */
  subscribe(listener: (state: RouterState) => void): () => void
  /** Resolves when the screen is there, or when somebody went elsewhere meanwhile. */
  navigate(to: To, options?: NavigateOptions): Promise<void>
  /** Asks the loader again who may be here. */
  revalidate(): Promise<void>
  /** What React Router's links and hooks go by. */
  navigator: Navigator
}

type Options = {
  history: AppHistory
  screens: ScreenRoute[]
  queryClient: QueryClient
}

/** On the way to a screen. `entry` is what becomes of the browser's history on arrival: `kept` where the browser itself has moved in it. */
type Journey = { location: Location; entry: 'push' | 'replace' | 'kept'; preventScrollReset: boolean }

/** What stands at an address: the routes to draw, or another address in its place. */
type Opened = RouteMatch[] | Redirect

/** Sets out for the address in `history` at once. */
export function createRouter({ history, screens, queryClient }: Options): AppRouter {
  let state: RouterState = { location: history.location, matches: null, loading: true, preventScrollReset: false }
  let latest: Journey
  const listeners = new Set<(state: RouterState) => void>()
  const loaded = new Map<Load, ScreenModule>()

  const update = (next: Partial<RouterState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener(state)
  }

  async function travel(journey: Journey): Promise<void> {
    latest = journey
    if (state.matches) saveScrollPosition(state.location)
    if (state.matches && leadsWithinPage(state.location, journey.location)) return arrive(journey, state.matches)
    const opened = open(journey.location)
    if (opened instanceof Promise) update({ loading: true })
    const found = opened instanceof Promise ? await opened : opened
    if (latest !== journey) return
    if (!(found instanceof Redirect)) return arrive(journey, found)
    // Whoever was sent on and goes back is not to be sent on again: an address that stands in the history already gives its place away.
    const entry = journey.entry === 'push' ? 'push' : 'replace'
    return travel({ location: locate(found.to), entry, preventScrollReset: false })
  }

  function arrive({ location, entry, preventScrollReset }: Journey, matches: RouteMatch[]): void {
    if (entry !== 'kept') history[entry](location)
    update({ location, matches, preventScrollReset, loading: false })
  }

  /** The screen at this address, ready to be drawn; at once where there is nothing to wait for, so that one change of the address knows of the one before. */
  function open(location: Location): Opened | Promise<Opened> {
    const matches = matchRoutes(screens, location) ?? []
    const match = matches.at(-1)
    if (!match?.route.load) return matches // there already
    const { path, load } = match.route
    const drawnBy = (Component: ComponentType) => [...matches.slice(0, -1), { ...match, route: { path, Component } }]
    const enter = async () => {
      try {
        const screen = loaded.get(load) ?? (await load())
        loaded.set(load, screen)
        await screen.loader?.({ queryClient, location, params: match.params })
        return drawnBy(screen.Component)
      } catch (error) {
        if (error instanceof Redirect) return error
        console.error(error)
        return drawnBy(FailedScreen)
      }
    }
    const screen = loaded.get(load)
    return screen && !screen.loader ? drawnBy(screen.Component) : enter()
  }

  const locate = (to: To, entryState: unknown = null): Location => ({
    ...encodeLocation(resolvePath(to, state.location.pathname)),
    state: entryState,
    // Tells the entries of one tab's history apart, as the library's own keys do; it guards nothing, and `crypto.randomUUID` needs TLS.
    key: Math.random().toString(36).slice(2, 10),
  })

  const navigate = (to: To, { replace = false, state, preventScrollReset = false }: NavigateOptions = {}) =>
    travel({ location: locate(to, state), entry: replace ? 'replace' : 'push', preventScrollReset })

  history.listen(() => void travel({ location: history.location, entry: 'kept', preventScrollReset: false }))
  void travel({ location: state.location, entry: 'kept', preventScrollReset: false })

  return {
    get state() {
      return state
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    navigate,
    revalidate: () =>
      travel(
        state.loading
          ? { ...latest }
          : { location: state.location, entry: 'kept', preventScrollReset: state.preventScrollReset },
      ),
    navigator: {
      createHref,
      createURL,
      encodeLocation,
      go: history.go,
      push: (to, state, options) => void navigate(to, { ...options, state }),
      replace: (to, state, options) => void navigate(to, { ...options, state, replace: true }),
    },
  }
}

/** Whether `to` is a place on the page that shows already: then there is nothing to load. The very same location is asked for to load it anew. */
const leadsWithinPage = (from: Location, to: Location): boolean =>
  to !== from && to.hash !== '' && to.pathname === from.pathname && to.search === from.search

const createHref = (to: To): string => (typeof to === 'string' ? to : createPath(to))

/** On this site whatever the path is: joined to the origin, not resolved against it, where two slashes would name another site. */
const createURL = (to: To): URL => new URL(window.location.origin + createHref(to))

/** The address as the browser will write it. */
function encodeLocation(to: To): Path {
  const { pathname, search, hash } = createURL(to)
  return { pathname, search, hash }
}
