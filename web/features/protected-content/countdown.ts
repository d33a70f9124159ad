import { premiumTexts } from '@ovation/contract/texts/protected-content'
import { useEffect, useState } from 'react'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** From this much time left, a warning shows (SUB-19). */
export const warningMs = 7 * day

/** `"3 days 4 hours"`; less than a day, `"4 hours 12 minutes"` (SUB-20). */
export function timeLeft(ms: number): string {
  const left = Math.max(0, ms)
  if (left >= day) return premiumTexts.days(Math.floor(left / day), Math.floor((left % day) / hour))
  return premiumTexts.hours(Math.floor(left / hour), Math.floor((left % hour) / minute))
}

/** Milliseconds until a time, kept current. Calls `onEnd` once when it is reached. */
export function useCountdown(end: string | null, onEnd: () => void): number | null {
  const [now, setNow] = useState(() => Date.now())
  const left = end === null ? null : Date.parse(end) - now

  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), minute / 4)
    return () => clearInterval(clock)
  }, [])
  const over = left !== null && left <= 0
  useEffect(() => {
    if (over) onEnd()
  }, [over, onEnd])
  return left
}
