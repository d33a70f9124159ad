import { followsTexts } from '@ovation/contract/texts/follows'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Props = { name: string; onConfirm: () => void; onClose: () => void }

/** LOOP-01 */
export default function UnfollowDialog({ name, onConfirm, onClose }: Props) {
  const { title, message, confirm, keep } = followsTexts.unfollow
  return (
    <ConfirmDialog
      title={title(name)}
      message={message}
      confirmLabel={confirm}
      keepLabel={keep}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}
