import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Opening a conversation that the viewer has marked as unread reads it (INBOX-01). Once: it can be marked again while it is open. */
export function useUnmark(otherId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const open = async () => (await import('./change-conversation.ts')).unmark(queryClient, otherId)
    // Without a connection, it stays marked.
    void open().catch(() => undefined)
  }, [queryClient, otherId])
}
