import { useEffect } from 'react'
import { supabase } from '../../lib/supabase.ts'

const minute = 60_000

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
