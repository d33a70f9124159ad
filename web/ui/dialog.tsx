import { lazy, type ReactNode, Suspense } from 'react'

export type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** False while work runs that closing would lose: Escape, the backdrop and the cross do nothing. */
  closable?: boolean
  /** A phone gives the dialog the whole screen. */
  fullScreenOnPhone?: boolean
}

const DialogFrame = lazy(() => import('./dialog-frame.tsx'))

/** A modal dialog. Render it while it is open; its code loads with the first one. Focus stays inside, and returns on closing. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <DialogFrame {...props} />
    </Suspense>
  )
}
