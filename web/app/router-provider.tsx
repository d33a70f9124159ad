import { startTransition, useLayoutEffect, useMemo, useState } from 'react'
import { Router, renderMatches } from 'react-router'
import { ErrorBoundary } from './error-boundary.tsx'
import type { AppRouter } from './router.ts'
import { RouterStateContext } from './router-state.ts'
import { StartingUp } from './starting-up.tsx'

/** Draws the screen that the router has opened. */
export function RouterProvider({ router }: { router: AppRouter }) {
  const [state, setState] = useState(router.state)
  useLayoutEffect(() => {
    // It may have arrived before anybody listened.
    setState(router.state)
    return router.subscribe((next) => startTransition(() => setState(next)))
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
