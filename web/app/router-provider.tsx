import { startTransition, useLayoutEffect, useMemo, useState } from 'react'
import { Router, renderMatches } from 'react-router'
import { ErrorBoundary } from './error-boundary.tsx'
import type { AppRouter } from './router.ts'
import { type RouterState, RouterStateContext } from './router-state.ts'
import { StartingUp } from './starting-up.tsx'

/** What is there sooner needs no sign that it is on its way, and no drawing of one. */
const unseenMs = 120

/** Draws the screen that the router has opened. */
export function RouterProvider({ router }: { router: AppRouter }) {
  const [state, setState] = useState(router.state)
  useLayoutEffect(() => {
    // It may have arrived before anybody listened.
    setState(router.state)
    const known = new Set([screenOf(router.state)])
    let clock: ReturnType<typeof setTimeout> | undefined
    const stop = router.subscribe((next) => {
      clearTimeout(clock)
      if (next.loading) {
        clock = setTimeout(() => setState(next), unseenMs)
        return
      }
      // All that a screen needs that was here before is there: it is drawn in one go. In pieces of 5 ms, between which the screen it follows
      // would stay alive, it takes a slow processor a seventh longer. A new one may still wait for parts of its code.
      if (known.has(screenOf(next))) setState(next)
      else startTransition(() => setState(next))
      known.add(screenOf(next))
    })
    return () => {
      clearTimeout(clock)
      stop()
    }
  }, [router])
  // That another screen is on its way is no reason to draw this one again.
  const shown = useMemo(() => state.matches && renderMatches(state.matches), [state.matches])

  return (
    <RouterStateContext value={state}>
      <Router location={state.location} navigator={router.navigator}>
        {/* Only for what breaks in the shell itself; a screen that breaks leaves the shell standing. */}
        <ErrorBoundary>{shown ?? <StartingUp />}</ErrorBoundary>
      </Router>
    </RouterStateContext>
  )
}

const screenOf = ({ matches }: RouterState) => matches?.at(-1)?.route.Component
