import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/live/use-live-change.ts'

/** The shell listens; the code that merges messages loads with the first one. */
const refresh = (queryClient: QueryClient) =>
  void import('../../domain/messages/thread-cache.ts').then(({ refreshMessages }) => refreshMessages(queryClient))

/** Keeps the unread count, the list, and the open thread current while the app is open (MSG-11, API-RT-01). Refetches after a reconnect. */
export function useLiveMessages(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('messages', profileId ? `recipient_id=eq.${profileId}` : null, () => refresh(queryClient))
}

/** Changes to the viewer's own messages: read, unlocked, or sent from another device. Only for the messages screen. */
export function useLiveReceipts(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('messages', profileId ? `sender_id=eq.${profileId}` : null, () => refresh(queryClient))
}
