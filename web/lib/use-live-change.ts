import { useEffect, useEffectEvent, useId } from 'react'

/**
 * Calls `onChange` after any change of a table's rows that match `filter` and that the viewer may see (D21).
 * A change only says that something changed: read again, through the rules. `null` listens to nothing.
 */
export function useLiveChange(table: string, filter: string | null, onChange: () => void): void {
  const id = useId()
  const changed = useEffectEvent(onChange)

  useEffect(() => {
    if (!filter) return
    const leaving = new AbortController()
    void listen({ table, filter, id, onChange: () => changed(), signal: leaving.signal })
    return () => leaving.abort()
  }, [table, filter, id])
}

type Listening = { table: string; filter: string; id: string; onChange: () => void; signal: AbortSignal }

async function listen({ table, filter, id, onChange, signal }: Listening): Promise<void> {
  // The websocket's code loads with the first listener: visitors have none.
  const { realtime } = await import('./realtime.ts')
  const client = realtime()
  // The client sends a join with the token it has at that moment: one sent too early would be a visitor's, and be refused.
  await client.setAuth()
  if (signal.aborted) return
  let joinedBefore = false
  const channel = client
    // A name of its own: the client hands out one channel for one name, and another listener may be there already.
    .channel(`${table}:${filter}:${id}`)
    .on('postgres_changes', { event: '*', schema: 'public', table, filter }, onChange)
    .subscribe((status) => {
      if (status !== 'SUBSCRIBED') return
      // What happened while the connection was down was not sent again.
      if (joinedBefore) onChange()
      joinedBefore = true
    })
  signal.addEventListener('abort', () => void client.removeChannel(channel))
}
