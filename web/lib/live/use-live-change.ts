import { useEffect, useEffectEvent } from 'react'
import type { Listened } from './live.ts'

/**
 * Calls `onChange` after any change of a table's rows that match `filter` and that the viewer may see (D21), and after a
 * reconnect. A change carries no data: read again through the API. `null` listens to nothing, an
 * empty filter to every row.
 */
export function useLiveChange(
  table: string,
  filter: string | null,
  onChange: () => void,
  event: Listened['event'] = '*',
): void {
  const changed = useEffectEvent(onChange)

  useEffect(() => {
    if (filter === null) return
    let stop: (() => void) | undefined
    let left = false
    // The websocket's code loads with the first listener: visitors have none.
    void open().then((live) => {
      if (!left) stop = live.listen({ table, filter, event }, () => changed())
    })
    return () => {
      left = true
      stop?.()
    }
  }, [table, filter, event])
}

const open = async () => (await import('./open-live.ts')).openLive()
