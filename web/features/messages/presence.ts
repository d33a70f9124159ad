import { messageTexts } from '@ovation/contract/texts/messages'
import { useEffect } from 'react'
import { formatAgo } from '../../lib/format.ts'
import { supabase } from '../../lib/supabase.ts'

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

/** Says once a minute that the viewer has a screen open, while they look at it (SET-19). Nothing depends on a single one. */
export function usePresence(profileId: string | undefined): void {
  useEffect(() => {
    if (!profileId) return
    const tell = () => {
      if (!document.hidden) void supabase.rpc('record_presence').then(() => undefined)
    }
    // Not among the requests of the first screen.
    const first = setTimeout(tell, 4_000)
    const clock = setInterval(tell, minute)
    return () => {
      clearTimeout(first)
      clearInterval(clock)
    }
  }, [profileId])
}
