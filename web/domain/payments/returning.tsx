import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'

const PaymentReturn = lazy(() => import('./payment-return.tsx'))

/** What the payment page adds to the address that it leads back to: a payment by what it was for, or that there is none. */
const comesBack = /[?&](purchase|tip|unlock|booking|checkout)=./

/** Nothing, unless the address says that the viewer comes back from a checkout. */
export function Returning() {
  if (!comesBack.test(useLocation().search)) return null
  return (
    <Suspense>
      <PaymentReturn />
    </Suspense>
  )
}
