import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Message, threadQuery } from '../../domain/messages/queries.ts'
import { messagesKey } from '../../domain/messages/unread.ts'
import { supabase } from '../../lib/api/supabase.ts'

/**
 * Marks messages as read while the viewer is looking, locked ones too: the thread shows which ones are locked (LOOP-16). Errors are ignored: the
 * next message or visit tries again.
 */
export function useMarkRead(viewerId: string, otherId: string, messages: Message[]): void {
  const queryClient = useQueryClient()
  const newestUnread = messages.find(({ sender_id, is_read }) => sender_id === otherId && !is_read)?.id

  useEffect(() => {
    if (!newestUnread) return
    const mark = async () => {
      if (document.hidden) return
      const { error } = await supabase
        .from('messages')
        .update({ is_read: true })
        .eq('recipient_id', viewerId)
        .eq('sender_id', otherId)
        .eq('is_read', false)
      if (error) return
      queryClient.setQueryData(
        threadQuery(otherId).queryKey,
        (thread) =>
          thread && {
            ...thread,
            pages: thread.pages.map((page) =>
              page.map((message) => (message.sender_id === otherId ? { ...message, is_read: true } : message)),
            ),
          },
      )
      void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversations'] })
      void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'conversation'] })
      void queryClient.invalidateQueries({ queryKey: [...messagesKey, 'unread'] })
      // The server also marks the notifications from this user as read.
      void queryClient.invalidateQueries({ queryKey: ['notifications'] })
    }
    void mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [newestUnread, viewerId, otherId, queryClient])
}
