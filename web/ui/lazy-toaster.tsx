import { type ComponentType, useEffect, useState } from 'react'
import { useIdle } from '../lib/browser/use-idle.ts'
import classes from './lazy-toaster.module.css'
import { useToastState } from './toast.ts'

/**
 * The container for toasts. Its code loads once the first screen is idle, or with the first toast. Without a connection it fails to load,
 * and that is usually the toast's subject: then this shows the plain text.
 */
export function LazyToaster() {
  const isIdle = useIdle()
  const { count, plain } = useToastState()
  const [Toaster, setToaster] = useState<ComponentType>()
  useEffect(() => {
    if (Toaster || !(isIdle || count > 0)) return
    import('./toaster.tsx').then(
      (loaded) => setToaster(() => loaded.default),
      () => undefined, // the next toast tries again
    )
  }, [Toaster, isIdle, count])
  return (
    <>
      <Announcer />
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

/** What `announce` says. In the page before the first words, because screen readers read only changes. */
export function Announcer() {
  return (
    <div className="visually-hidden" aria-live="polite">
      {useToastState().said}
    </div>
  )
}
