import { useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'

/** Whose zone has been reported, and which one. */
let reported = ''

/** Reports the viewer's time zone, once after the page has loaded, so that the daily email comes in the morning (LOOP-02). */
export function useReportedTimeZone(profileId: string | undefined): void {
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!profileId || reported === `${profileId} ${zone}`) return
    reported = `${profileId} ${zone}`
    // The next visit repeats a lost report.
    void supabase.rpc('report_time_zone', { zone }).then(() => undefined)
  }, [profileId])
}
