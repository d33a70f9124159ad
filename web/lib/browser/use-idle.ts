import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** How long no request may run, in checks: a page that is busy rendering runs none. */
const calmMs = 500
const lookMs = 100

/**
 * Whether the first screen is idle: everything it requested has loaded and rendered. Code that it didn't need can
 * load then without slowing it down.
 */
export function useIdle(): boolean {
  const queryClient = useQueryClient()
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    let calmLooks = 0
    const timer = setInterval(() => {
      calmLooks = queryClient.isFetching() > 0 ? 0 : calmLooks + 1
      if (calmLooks * lookMs < calmMs) return
      clearInterval(timer)
      setQuiet(true)
    }, lookMs)
    return () => clearInterval(timer)
  }, [queryClient])
  return quiet
}
