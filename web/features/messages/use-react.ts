import { messageTexts } from '@ovation/contract/texts/messages'
import { MutationObserver, useQueryClient } from '@tanstack/react-query'
import type { Message } from '../../domain/messages/queries.ts'
import { changeMessage } from '../../domain/messages/thread-cache.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'

/** The viewer's reaction to a message. */
export const reactionOf = (message: Message, mine: boolean): string | null =>
  mine ? message.sender_reaction : message.recipient_reaction

/** Changes the viewer's reaction to a message at once (INBOX-06). Choosing the same emoji again removes it. */
export function useReact(message: Message, mine: boolean) {
  const queryClient = useQueryClient()
  const column = mine ? 'sender_reaction' : 'recipient_reaction'
  const otherId = mine ? message.recipient_id : message.sender_id
  const show = (emoji: string | null) =>
    changeMessage(queryClient, otherId, message.id, (known) => ({ ...known, [column]: emoji }))

  return (chosen: string) => {
    const before = message[column]
    const emoji = chosen === before ? null : chosen
    // Created on click, because few messages of a thread get a reaction.
    const change = new MutationObserver(queryClient, {
      // In order, so that the last click decides.
      scope: { id: `reaction ${message.id}` },
      mutationFn: async () => {
        await supabase.rpc('react_to_message', { message_id: message.id, emoji: emoji as string }).throwOnError()
      },
      onMutate: () => show(emoji),
      onError: (error) => {
        show(before)
        toast.error(errorMessageOf(error), messageTexts.react.failed)
      },
    })
    void change
      .mutate()
      .catch(() => undefined) // onError has reported it
      .then(() => change.reset())
  }
}
