import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { useChannel, userTopic } from '../../lib/live/use-channel.ts'

const minute = 60_000

/** Shows the viewer as online while a screen is visible (SET-19): live in their topic, and recorded once a minute for later readers. */
export function usePresence(profileId: string | undefined): void {
  const isVisible = useDocumentVisibility() === 'visible'
  useChannel(profileId ? userTopic(profileId) : null, isVisible ? { shows: {} } : {})

  useEffect(() => {
    if (!profileId || !isVisible) return
    // A lost report doesn't matter.
    const report = () => void supabase.rpc('record_presence').then(() => undefined)
    // Not among the first screen's requests.
    const first = setTimeout(report, 4_000)
    const clock = setInterval(report, minute)
    return () => {
      clearTimeout(first)
      clearInterval(clock)
    }
  }, [profileId, isVisible])
}
