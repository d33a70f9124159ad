import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'

const PaymentReturn = lazy(() => import('./payment-return.tsx'))

/** Parameters that the payment page adds to the return URL. */
const returnParameter = /[?&](purchase|tip|unlock|booking|gift|bought|checkout)=./

/** Renders nothing unless the viewer returns from a checkout. */
export function Returning() {
  if (!returnParameter.test(useLocation().search)) return null
  return (
    <Suspense>
      <PaymentReturn />
    </Suspense>
  )
}
