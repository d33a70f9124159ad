import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/live/use-live-change.ts'

/** The shell listens; how a thread takes in what is new loads with the first news. */
const refresh = (queryClient: QueryClient) =>
  void import('../../domain/messages/thread-cache.ts').then(({ refreshMessages }) => refreshMessages(queryClient))

/** Keeps badge, list and open thread current while the app is open (MSG-11, API-RT-01). After a lost connection all is read again. */
export function useLiveMessages(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('messages', profileId ? `recipient_id=eq.${profileId}` : null, () => refresh(queryClient))
}

/** What becomes of the viewer's own messages: read, unlocked, or written on another device. For the screen alone. */
export function useLiveReceipts(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('messages', profileId ? `sender_id=eq.${profileId}` : null, () => refresh(queryClient))
}
