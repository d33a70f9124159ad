import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { ReturnParameter } from './payment-return.tsx'

const PaymentReturn = lazy(() => import('./payment-return.tsx'))

/** Nothing, unless the address says that the viewer comes back from a checkout: of a post, a tip, a message or a session. */
export function Returning({ from }: { from: ReturnParameter }) {
  const sessionId = useSearchParams()[0].get(from)
  if (!sessionId) return null
  return (
    <Suspense>
      <PaymentReturn parameter={from} sessionId={sessionId} />
    </Suspense>
  )
}
