import { useSyncExternalStore } from 'react'

function listen(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether the tab is in view. */
export const usePageVisible = (): boolean => useSyncExternalStore(listen, () => document.visibilityState === 'visible')
