import { useLocation, useNavigate } from 'react-router'
import type { PendingAction } from '../../lib/auth/pending-action.ts'
import { signInPath } from '../../lib/auth/sign-in-path.ts'

/**
 * For an action that needs an account: opens the sign-in screen, which shows the action beside the form, and returns here afterwards
 * (GEN-40, LOOP-04).
 */
export function useAskToSignIn(): (action?: PendingAction, keep?: Input) => void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return (action, keep = {}) => {
    const query = new URLSearchParams(search)
    for (const [name, value] of Object.entries(keep)) if (value) query.set(name, value)
    const kept = query.size > 0 ? `?${query}` : ''
    void navigate(signInPath({ pathname, search: kept }, { action }))
  }
}

/** What the visitor has typed on this screen, by the parameter of the URL that fills it in again. */
type Input = Record<string, string | undefined>
