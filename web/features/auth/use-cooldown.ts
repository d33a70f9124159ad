import { useEffect, useState } from 'react'

/** The seconds to wait, from auth/v1's message; a minute if it has none. */
export const pauseIn = (message: string): number => Number(/after (\d+) seconds/.exec(message)?.[1] ?? defaultPause)

/** The server's minimum interval between two emails to an address (AUTH_SMTP_MAX_FREQUENCY). */
export const defaultPause = 60

/** Counts down to zero. Uses the clock, so that a suspended page catches up. */
export function useCooldown(initialSeconds = 0): { seconds: number; start: (seconds: number) => void } {
  const [until, setUntil] = useState(() => Date.now() + initialSeconds * 1000)
  const [now, setNow] = useState(() => Date.now())
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const running = seconds > 0

  useEffect(() => {
    if (!running) return
    const clock = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(clock)
  }, [running])

  return {
    seconds,
    start: (wait) => {
      setNow(Date.now())
      setUntil(Date.now() + wait * 1000)
    },
  }
}
