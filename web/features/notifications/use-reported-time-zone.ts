import { useEffect } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { browserStore } from '../../lib/browser/browser-store.ts'

const reported = browserStore(() => localStorage, 'ovation:time-zone:')

/** Reports the viewer's time zone when it is new to this browser, so that the daily email comes in the morning (LOOP-02). */
export function useReportedTimeZone(profileId: string | undefined): void {
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!profileId || reported.read(profileId) === zone) return
    // A lost report is repeated by the next visit.
    void supabase.rpc('report_time_zone', { zone }).then(({ error }) => error || reported.write(profileId, zone))
  }, [profileId])
}
