import { lazy, Suspense, useEffect, useState } from 'react'
import { forgetLinkOutcome, linkOutcome } from '../../lib/auth/link-outcome.ts'

const RefusedLink = lazy(() => import('./refused-link.tsx'))

/** Why an email link or another service didn't sign the user in. Shown once. */
export function LinkRefused() {
  const [outcome] = useState(linkOutcome)
  useEffect(forgetLinkOutcome, [])
  return (
    outcome?.kind === 'refused' && (
      <Suspense>
        <RefusedLink {...outcome} />
      </Suspense>
    )
  )
}
