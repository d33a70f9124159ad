import { useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/use-live-change.ts'
import { refreshMessages } from './thread-cache.ts'

/** Keeps badge, list and open thread current while the app is open (MSG-11, API-RT-01). After a lost connection all is read again. */
export function useLiveMessages(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  const refresh = () => void refreshMessages(queryClient)
  useLiveChange('messages', profileId ? `recipient_id=eq.${profileId}` : null, refresh)
}

/** What becomes of the viewer's own messages: read, unlocked, or written on another device. For the screen alone. */
export function useLiveReceipts(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('messages', profileId ? `sender_id=eq.${profileId}` : null, () => void refreshMessages(queryClient))
}
