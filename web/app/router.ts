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
import { siteOrigin } from '../lib/api/api-url.ts'
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

/** The exports of a file in `routes/`. */
export type ScreenModule = {
  Component: ComponentType
  /**
   * Called once for each navigation to the screen, and again when the user changes.
   * It starts requests and guards the screen; it doesn't wait for data. @throws Redirect to show another address instead.
   */
  loader?: (args: LoaderArguments) => void | Promise<void>
}

export type ScreenRoute = {
  path?: string
  Component?: ComponentType
  element?: ReactNode
  children?: ScreenRoute[]
  /** Loads the code of a screen. */
  load?: Load
}
type Load = () => Promise<ScreenModule>

export type AppRouter = {
  readonly state: RouterState
  /** @returns a function that unsubscribes. */
  subscribe(listener: (state: RouterState) => void): () => void
  /** Resolves when the first screen can show. */
  opened(): Promise<void>
  /** Resolves when the screen shows, or when another navigation replaced this one. */
  navigate(to: To, options?: NavigateOptions): Promise<void>
  /** Runs the loader, and so the guards, again. */
  revalidate(): Promise<void>
  /** The navigator for React Router's links and hooks. */
  navigator: Navigator
}

type Options = {
  history: AppHistory
  screens: ScreenRoute[]
  queryClient: QueryClient
}

/** A navigation. `entry` says what happens to the browser's history at the end: `kept` if the browser itself has navigated. */
type Navigation = { location: Location; entry: 'push' | 'replace' | 'kept'; preventScrollReset: boolean }

/** The match for an address: the routes to render, or a redirect. */
type Opened = RouteMatch[] | Redirect

/** Starts a navigation to the address in `history`. */
export function createRouter({ history, screens, queryClient }: Options): AppRouter {
  let state: RouterState = { location: history.location, matches: null, loading: true, preventScrollReset: false }
  let latest: Navigation
  const listeners = new Set<(state: RouterState) => void>()
  const loaded = new Map<Load, ScreenModule>()

  const update = (next: Partial<RouterState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener(state)
  }

  async function go(navigation: Navigation): Promise<void> {
    latest = navigation
    if (state.matches) saveScrollPosition(state.location)
    if (state.matches && leadsWithinPage(state.location, navigation.location)) return arrive(navigation, state.matches)
    const opened = open(navigation.location)
    if (opened instanceof Promise) update({ loading: true })
    const found = opened instanceof Promise ? await opened : opened
    if (latest !== navigation) return
    if (!(found instanceof Redirect)) return arrive(navigation, found)
    // A redirect from an existing history entry replaces that entry, so that going back doesn't redirect again.
    const entry = navigation.entry === 'push' ? 'push' : 'replace'
    return go({ location: locate(found.to), entry, preventScrollReset: false })
  }

  function arrive({ location, entry, preventScrollReset }: Navigation, matches: RouteMatch[]): void {
    if (entry !== 'kept') history[entry](location)
    update({ location, matches, preventScrollReset, loading: false })
  }

  /** The screen at this address, ready to render; synchronously if nothing has to load, so that a second navigation sees the first. */
  function open(location: Location): Opened | Promise<Opened> {
    const matches = matchRoutes(screens, location) ?? []
    const match = matches.at(-1)
    if (!match?.route.load) return matches // loaded already
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
    // Distinguishes history entries, as in React Router. It needs no secrecy, and `crypto.randomUUID` needs TLS.
    key: Math.random().toString(36).slice(2, 10),
  })

  const navigate = (to: To, { replace = false, state, preventScrollReset = false }: NavigateOptions = {}) =>
    go({ location: locate(to, state), entry: replace ? 'replace' : 'push', preventScrollReset })

  history.listen(() => void go({ location: history.location, entry: 'kept', preventScrollReset: false }))
  const opening = go({ location: state.location, entry: 'kept', preventScrollReset: false })

  return {
    get state() {
      return state
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened: () => opening,
    navigate,
    revalidate: () =>
      go(
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

/** Whether `to` is a fragment of the current page: then nothing has to load. Navigating to the identical location reloads it. */
const leadsWithinPage = (from: Location, to: Location): boolean =>
  to !== from && to.hash !== '' && to.pathname === from.pathname && to.search === from.search

const createHref = (to: To): string => (typeof to === 'string' ? to : createPath(to))

/** Always on this site: the path is appended to the origin, not resolved against it, where two slashes would name another site. */
const createURL = (to: To): URL => new URL(siteOrigin() + createHref(to))

/** The address as the browser will write it. */
function encodeLocation(to: To): Path {
  const { pathname, search, hash } = createURL(to)
  return { pathname, search, hash }
}
