import { commentTexts } from '@ovation/contract/texts/comments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { removeAllComments } from './moderate.ts'

type Props = { author: { id: string; name: string }; onClose: () => void }

/** One press, after a question, removes all of a user's comments (TALK-03). */
export default function RemoveAllDialog({ author, onClose }: Props) {
  const queryClient = useQueryClient()
  const { removeAllDialog: texts } = commentTexts
  const removal = useMutation({
    mutationFn: () => removeAllComments(queryClient, author.id),
    onSuccess: (count) => toast.success(commentTexts.removedAll(count)),
    onError: () => toast.error(commentTexts.removeAllFailed),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.title(author.name)}
      message={texts.message}
      confirmLabel={texts.confirm}
      pending={removal.isPending}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
