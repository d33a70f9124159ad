import { useEffect, useEffectEvent, useId } from 'react'
import { supabase } from './supabase.ts'

/**
 * Calls `onChange` after any change of a table's rows that match `filter` and that the viewer may see (D21).
 * A change only says that something changed: read again, through the rules. `null` listens to nothing.
 */
export function useLiveChange(table: string, filter: string | null, onChange: () => void): void {
  const id = useId()
  const changed = useEffectEvent(onChange)

  useEffect(() => {
    if (!filter) return
    let joinedBefore = false
    const channel = supabase
      // A name of its own: the client hands out one channel for one name, and another listener may be there already.
      .channel(`${table}:${filter}:${id}`)
      .on('postgres_changes', { event: '*', schema: 'public', table, filter }, () => changed())
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') return
        // What happened while the connection was down was not sent again.
        if (joinedBefore) changed()
        joinedBefore = true
      })
    return () => void supabase.removeChannel(channel)
  }, [table, filter, id])
}
