import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Nothing is asked for this long, by the looks that were taken: while the page is busy drawing there are none. */
const calmMs = 500
const lookMs = 100

/**
 * Whether the screen that was opened first has come to rest: all that it asked for is there and drawn. What it did not need can
 * load then, without standing in its way.
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
