import { startTransition, useLayoutEffect, useState } from 'react'
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

  return (
    <RouterStateContext value={state}>
      <Router location={state.location} navigator={router.navigator}>
        {/* Only for what breaks in the shell itself; a screen that breaks leaves the shell standing. */}
        <ErrorBoundary>{state.matches ? renderMatches(state.matches) : <StartingUp />}</ErrorBoundary>
      </Router>
    </RouterStateContext>
  )
}
