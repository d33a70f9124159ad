import { createPath, type Location } from 'react-router'

/** The session history of one tab, as far as the router needs it. */
export type AppHistory = {
  /** The current entry. */
  readonly location: Location
  push(location: Location): void
  replace(location: Location): void
  go(delta: number): void
  /** Calls back when the browser itself navigates: back, forward, or a `#` typed into the address bar. */
  listen(listener: () => void): void
}

/**
 * The browser's own, by the History API. React Router has the same but doesn't export it for use; the Navigation API would be shorter, but
 * browsers that people still use don't have it. Entries keep React Router's form, so a tab that stays open across a release can go back.
 */
export function openBrowserHistory(): AppHistory {
  const { history, location } = window
  const entryOf = ({ state, key }: Location) => ({ usr: state, key })
  return {
    get location() {
      const { pathname, search, hash } = location
      // An entry that the browser made, for example from a typed address, has no state.
      const { usr = null, key = 'default' } = history.state ?? {}
      return { pathname, search, hash, state: usr, key }
    },
    push(to) {
      try {
        history.pushState(entryOf(to), '', urlOf(to))
      } catch (error) {
        if (error instanceof DOMException && error.name === 'DataCloneError') throw error
        // Safari rejects more than 100 entries in a short time. The browser then opens the address itself.
        location.assign(urlOf(to))
      }
    },
    replace: (to) => history.replaceState(entryOf(to), '', urlOf(to)),
    go: (delta) => history.go(delta),
    listen: (listener) => window.addEventListener('popstate', listener),
  }
}

/** With the origin in front, because a path that begins with two slashes alone would name another site. */
const urlOf = (location: Location): string => window.location.origin + createPath(location)
