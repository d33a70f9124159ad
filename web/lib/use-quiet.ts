import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Nothing is asked for this long. */
const calmMs = 500
const lookMs = 100

/**
 * Whether the screen that was opened first has come to rest: all that it asked for is there and drawn. What it did not need can
 * load then, without standing in its way.
 */
export function useQuiet(): boolean {
  const queryClient = useQueryClient()
  const [quiet, setQuiet] = useState(false)
  useEffect(() => {
    let calmSince = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      if (queryClient.isFetching() > 0) calmSince = now
      if (now - calmSince < calmMs) return
      clearInterval(timer)
      setQuiet(true)
    }, lookMs)
    return () => clearInterval(timer)
  }, [queryClient])
  return quiet
}
