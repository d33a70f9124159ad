import { messageTexts } from '@ovation/contract/texts/messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Message } from '../../domain/messages/queries.ts'
import { refreshMessages, removeMessage } from '../../domain/messages/thread-cache.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { announce, toast } from '../../ui/toast.ts'

const texts = messageTexts.unsend

type Props = { message: Message; name: string; onUnsent: () => void; onClose: () => void }

/** Takes back a message that the other user hasn't read, or bought (INBOX-07). */
export default function UnsendDialog({ message, name, onUnsent, onClose }: Props) {
  const queryClient = useQueryClient()
  const unsend = useMutation({
    mutationFn: async () => {
      await supabase.rpc('unsend_message', { message_id: message.id }).throwOnError()
    },
    onSuccess: () => {
      removeMessage(queryClient, message)
      onUnsent()
      announce(texts.done)
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.failed),
    onSettled: () => {
      onClose()
      // It may have been read in the meantime, which the thread then shows.
      void refreshMessages(queryClient)
    },
  })
  return (
    <ConfirmDialog
      title={texts.title}
      message={texts.message(name)}
      confirmLabel={texts.action}
      pending={unsend.isPending}
      onConfirm={() => unsend.mutate()}
      onClose={onClose}
    />
  )
}
