import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { useChannel, userTopic } from '../../lib/live/use-channel.ts'

const minute = 60_000

/** Lets the viewer be seen while they look at a screen (SET-19): live in their own topic, and once a minute for those who ask later. */
export function usePresence(profileId: string | undefined): void {
  const isLooking = useDocumentVisibility() === 'visible'
  useChannel(profileId ? userTopic(profileId) : null, isLooking ? { shows: {} } : {})

  useEffect(() => {
    if (!profileId || !isLooking) return
    // Nothing depends on a single one.
    const tell = () => void supabase.rpc('record_presence').then(() => undefined)
    // Not among the requests of the first screen.
    const first = setTimeout(tell, 4_000)
    const clock = setInterval(tell, minute)
    return () => {
      clearTimeout(first)
      clearInterval(clock)
    }
  }, [profileId, isLooking])
}
