import { messageTexts } from '@ovation/contract/texts/messages'
import { formatAgoInWords } from '../../lib/format/format-ago.ts'

const minute = 60_000
/** Clients report every minute; one report may get lost. */
const onlineForMs = 2.5 * minute

export const isOnline = (lastSeenAt: string | null, now = Date.now()): boolean =>
  lastSeenAt !== null && now - Date.parse(lastSeenAt) < onlineForMs

/** `"Online"`, `"Active 3h ago"`, `"Active on Mar 4"`; null if the user hides it (SET-19). */
export function presenceOf(lastSeenAt: string | null, now = new Date()): string | null {
  if (!lastSeenAt) return null
  return isOnline(lastSeenAt, now.getTime()) ? messageTexts.online : lastSeen(lastSeenAt, now)
}

/** For a user who is known to be offline, even if they left just now. */
export const lastSeen = (lastSeenAt: string, now: Date): string =>
  messageTexts.lastSeen(formatAgoInWords(lastSeenAt, now))
