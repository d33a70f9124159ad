import { useEffect, useLayoutEffect } from 'react'
import type { Location } from 'react-router'
import { useRouterState } from './router-state.ts'

/*
 * Where each entry of the browser's history was scrolled to. The browser's own memory is of no use: it scrolls before the screen is drawn.
 */

const storageKey = 'ovation-scroll-places'
const places = readPlaces()

/** An entry that was typed in has no key of its own. */
const nameOf = ({ key, pathname }: Location): string => `${key} ${pathname}`

/** Notes how far the screen at this location is scrolled, before another takes its place. */
export function saveScrollPosition(location: Location): void {
  places[nameOf(location)] = window.scrollY
}

/**
 * A screen that is come back to stands where it was left, after a reload too; a new one at its beginning, or where its `#` points. It stands
 * behind the screen, so that all of it is drawn by then.
 */
export function ScrollRestoration(): null {
  const { location, preventScrollReset } = useRouterState()

  useLayoutEffect(() => {
    // Nothing is returned: newer browsers answer a scroll with a promise, which React would take for what ends the effect.
    const kept = places[nameOf(location)]
    const target = document.getElementById(fragmentOf(location))
    if (typeof kept === 'number') window.scrollTo(0, kept)
    else if (target) target.scrollIntoView()
    else if (!preventScrollReset) window.scrollTo(0, 0)
  }, [location, preventScrollReset])

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const keep = () => {
      saveScrollPosition(location)
      writePlaces()
    }
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [location])
  return null
}

function fragmentOf({ hash }: Location): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return '' // an address may end in anything
  }
}

function readPlaces(): Record<string, unknown> {
  try {
    return { ...JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return {} // storage may be blocked, or hold anything
  }
}

function writePlaces(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(places))
  } catch {
    // Blocked or full: then a reload begins at the top.
  }
}
