import { startTransition, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Router, renderMatches } from 'react-router'
import { leaveScreen } from '../ui/toast.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import type { AppRouter } from './router.ts'
import { type RouterState, RouterStateContext } from './router-state.ts'
import { StartingUp } from './starting-up.tsx'

/** A faster navigation shows no loading state, and renders none. */
const unseenMs = 120

/** Renders the router's current screen. */
export function RouterProvider({ router }: { router: AppRouter }) {
  const [state, setState] = useState(router.state)
  useLayoutEffect(() => {
    // It may have changed before the subscription.
    setState(router.state)
    const known = new Set([screenOf(router.state)])
    let clock: ReturnType<typeof setTimeout> | undefined
    const stop = router.subscribe((next) => {
      clearTimeout(clock)
      if (next.loading) {
        clock = setTimeout(() => setState(next), unseenMs)
        return
      }
      // The screen's code and data have loaded, so it renders in one go. Time-slicing in steps of 5 ms, with the previous screen still
      // active, would take a slow processor a seventh longer. A new screen may still suspend for its code.
      if (known.has(screenOf(next))) setState(next)
      else startTransition(() => setState(next))
      known.add(screenOf(next))
    })
    return () => {
      clearTimeout(clock)
      stop()
    }
  }, [router])
  useClosingToasts(state)
  // A pending navigation doesn't re-render the current screen.
  const shown = useMemo(() => state.matches && renderMatches(state.matches), [state.matches])

  return (
    <RouterStateContext value={state}>
      <Router location={state.location} navigator={router.navigator}>
        {/* Only for errors of the shell itself: a screen that fails leaves the shell intact. */}
        <ErrorBoundary>{shown ?? <StartingUp />}</ErrorBoundary>
      </Router>
    </RouterStateContext>
  )
}

/** Closes the toasts of the previous screen (LOOP-18). Tabs and filters, which are in the query, don't lead to another screen. */
function useClosingToasts({ location: { pathname, search } }: RouterState): void {
  // Another conversation is another screen, although it has the same path.
  const screen = `${pathname} ${new URLSearchParams(search).get('with') ?? ''}`
  const shown = useRef(screen)
  // Before the effects of the new screen, which may show a toast.
  useLayoutEffect(() => {
    if (shown.current === screen) return
    shown.current = screen
    leaveScreen()
  }, [screen])
}

const screenOf = ({ matches }: RouterState) => matches?.at(-1)?.route.Component
