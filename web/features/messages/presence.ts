import { messageTexts } from '@ovation/contract/texts/messages'
import { formatAgo } from '../../lib/format.ts'

const minute = 60_000
/** A person says every minute that they are here; one minute may get lost. */
const onlineForMs = 2.5 * minute

export const isOnline = (lastSeenAt: string | null, now = Date.now()): boolean =>
  lastSeenAt !== null && now - Date.parse(lastSeenAt) < onlineForMs

/** `"Online"`, `"Active 3h ago"`, `"Active on Mar 4"`; nothing where the person hides it (SET-19). */
export function presenceOf(lastSeenAt: string | null, now = new Date()): string | null {
  if (!lastSeenAt) return null
  if (isOnline(lastSeenAt, now.getTime())) return messageTexts.online
  const ago = formatAgo(lastSeenAt, now)
  return /^\d+[mhd]$/.test(ago) ? messageTexts.lastSeen(ago) : messageTexts.lastSeenOn(ago)
}
