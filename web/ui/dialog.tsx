import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog-frame.tsx'

const DialogFrame = lazy(() => import('./dialog-frame.tsx'))

/** A modal dialog. Render it while it is open; its code loads with the first one. Focus stays inside, and returns on closing. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  )
}
