import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog-frame.tsx'

const DialogFrame = lazy(() => import('./dialog-frame.tsx'))

/** A modal dialog. Render it while it is open. Its code loads with the first one. It traps the focus and returns it on closing. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  )
}
