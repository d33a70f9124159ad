import { useEffect, useLayoutEffect } from 'react'
import type { Location } from 'react-router'
import { useRouterState } from './router-state.ts'

/*
 * The scroll position of each history entry. The browser's own restoration is of no use: it scrolls before the screen has rendered.
 */

const storageKey = 'ovation-scroll-places'
const positions = readPositions()

/** An entry from a typed address has no key. */
const nameOf = ({ key, pathname }: Location): string => `${key} ${pathname}`

/** Stores the scroll position of this location before another screen replaces it. */
export function saveScrollPosition(location: Location): void {
  positions[nameOf(location)] = window.scrollY
}

/**
 * Restores the scroll position of a screen, after a reload too; a new screen starts at the top, or at its `#`. Rendered after
 * the screen, so that its effect runs when all of the screen has rendered.
 */
export function ScrollRestoration(): null {
  const { location, preventScrollReset } = useRouterState()

  useLayoutEffect(() => {
    // No return value: newer browsers return a promise from scrolling, which React would take for the cleanup.
    const kept = positions[nameOf(location)]
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
    return '' // a fragment may hold anything
  }
}

function readPositions(): Record<string, unknown> {
  try {
    return { ...JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') }
  } catch {
    return {} // storage may be blocked, or contain anything
  }
}

function writePlaces(): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(positions))
  } catch {
    // Blocked or full: a reload starts at the top.
  }
}
