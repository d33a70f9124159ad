import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { signInWaysQuery } from '../../domain/accounts/sign-in-ways.ts'
import { claimsOf } from '../../lib/auth/second-factor.ts'
import { useSession } from '../../lib/auth/session.tsx'

const TurnOnPage = lazy(() => import('./turn-on-page.tsx'))

/**
 * If admins need a second factor (AUTH_MFA_REQUIRED_FOR_ADMINS), an admin without one sets it up here and continues. Admins who have one
 * entered it at sign-in. The database decides what an admin may see: without this, the screens would be empty without an explanation.
 */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { session } = useSession()
  const queryClient = useQueryClient()
  const needed = useQuery(signInWaysQuery()).data?.adminsNeedSecondFactor ?? false
  const isProved = session !== null && claimsOf(session.access_token).aal === 'aal2'
  // The token has the second factor right after the first code, but the recovery codes still have to be shown.
  const [isHeld, setHeld] = useState(false)
  const proceed = () => {
    setHeld(false)
    // Earlier responses were those for an ordinary user.
    void queryClient.invalidateQueries()
  }
  if (!needed || session === null || (isProved && !isHeld)) return children
  return (
    <Suspense>
      <TurnOnPage onBegin={() => setHeld(true)} onDone={proceed} />
    </Suspense>
  )
}
