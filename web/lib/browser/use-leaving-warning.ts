import { useEffect } from 'react'

/** Makes the browser ask before the page closes while something is unsent. */
export function useLeavingWarning(unsent: boolean): void {
  useEffect(() => {
    if (!unsent) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsent])
}
