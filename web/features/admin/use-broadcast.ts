import { broadcastTexts as texts } from '@ovation/contract/texts/broadcast'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'

export type Poll = { title: string; description: string | null; options: string[]; days: number }
export type Broadcast = { kind: 'announcement' | 'poll'; title: string; message: string; poll: Poll | undefined }

const dayMs = 24 * 3600 * 1000

/**
 * Sends a notification or a poll to everyone (ADM-27, ADM-35, API-REST-36, RPC-06). If a poll was created but couldn't be sent, the next
 * attempt sends the same one, so that the results don't list it twice.
 */
export function useBroadcast(onDone: () => void) {
  const queryClient = useQueryClient()
  const created = useRef<{ content: string; id: string } | null>(null)

  async function pollIdOf(poll: Poll): Promise<string> {
    const content = JSON.stringify(poll)
    if (created.current?.content === content) return created.current.id
    const { data } = await supabase
      .from('polls')
      .insert({
        title: poll.title,
        description: poll.description,
        options: JSON.stringify(poll.options),
        expires_at: new Date(Date.now() + poll.days * dayMs).toISOString(),
      })
      .select('id')
      .single()
      .throwOnError()
    created.current = { content, id: data.id }
    return data.id
  }

  return useMutation({
    mutationFn: async ({ kind, title, message, poll }: Broadcast): Promise<number> => {
      const pollId = poll && (await pollIdOf(poll))
      const { data } = await supabase
        .rpc('broadcast_notification_to_all_users', {
          notification_type: kind,
          notification_title: title,
          notification_message: message,
          ...(pollId && { poll_ref: pollId }),
        })
        .throwOnError()
      return data
    },
    onSuccess: (recipients, { kind }) => {
      created.current = null
      toast.success(texts.recipients(recipients), texts.sent[kind])
      void queryClient.invalidateQueries({ queryKey: ['poll-results'] })
      onDone()
    },
  })
}
