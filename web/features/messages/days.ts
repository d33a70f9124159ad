import { messageTexts } from '@ovation/contract/texts/messages'

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })
const withYear = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()

/** The start of the viewer's local day, to find where a new one begins. */
export const dayOf = (iso: string): number => startOfDay(new Date(iso))

/** `"Today"`, `"Yesterday"`, `"Monday, March 4"`; with the year unless it is the current one. */
export function nameDay(iso: string, now: Date = new Date()): string {
  const date = new Date(iso)
  // Rounded, because days on which the clocks change have 23 or 25 hours.
  const daysAgo = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000)
  if (daysAgo === 0) return messageTexts.today
  if (daysAgo === 1) return messageTexts.yesterday
  return (date.getFullYear() === now.getFullYear() ? weekday : withYear).format(date)
}

const togetherMs = 5 * 60_000

/** Whether two consecutive messages are shown as one group. */
export const belongTogether = (
  one: { sender_id: string; created_at: string } | undefined,
  next: { sender_id: string; created_at: string } | undefined,
): boolean =>
  one !== undefined &&
  next !== undefined &&
  one.sender_id === next.sender_id &&
  dayOf(one.created_at) === dayOf(next.created_at) &&
  Math.abs(Date.parse(next.created_at) - Date.parse(one.created_at)) < togetherMs
