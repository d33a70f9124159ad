import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** The required time without requests, counted in checks, because a page that is busy rendering runs none. */
const calmMs = 500
const checkMs = 100

/**
 * Whether the first screen is idle: everything it requested has loaded and rendered. Code that it didn't need can
 * load then without slowing it down.
 */
export function useIdle(): boolean {
  const queryClient = useQueryClient()
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => {
    let calmChecks = 0
    const timer = setInterval(() => {
      calmChecks = queryClient.isFetching() > 0 ? 0 : calmChecks + 1
      if (calmChecks * checkMs < calmMs) return
      clearInterval(timer)
      setIsIdle(true)
    }, checkMs)
    return () => clearInterval(timer)
  }, [queryClient])
  return isIdle
}
