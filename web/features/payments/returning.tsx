import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'

const PaymentReturn = lazy(() => import('./payment-return.tsx'))

/** Nothing, unless the address says that the viewer comes back from a checkout. */
export function Returning({ from }: { from: 'purchase' | 'tip' }) {
  const sessionId = useSearchParams()[0].get(from)
  if (!sessionId) return null
  return (
    <Suspense>
      <PaymentReturn parameter={from} sessionId={sessionId} />
    </Suspense>
  )
}
