import { type ComponentType, useEffect, useState } from 'react'
import { useIdle } from '../lib/browser/use-idle.ts'
import { useSaid } from './toast.ts'
import classes from './toast-place.module.css'

/**
 * Where toasts stand. Their code comes when the screen that was opened first is at rest, or with the first toast. Without a connection it
 * does not come, and that is what the toast is about: then its words are shown without it.
 */
export function ToastPlace() {
  const quiet = useIdle()
  const { count, plain } = useSaid()
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    if (Toaster || !(quiet || count > 0)) return
    import('./toaster.tsx').then(
      (loaded) => setToaster(() => loaded.default),
      () => undefined, // tried again with the next toast
    )
  }, [Toaster, quiet, count])
  return (
    <>
      {Toaster && <Toaster />}
      {plain && (
        <div role="alert" className={`surface ${classes.plain}`}>
          {plain.title && `${plain.title}: `}
          {plain.message}
        </div>
      )}
    </>
  )
}
