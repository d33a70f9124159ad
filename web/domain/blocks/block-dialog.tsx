import { safetyTexts } from '@ovation/contract/texts/safety'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useBlock } from './use-block.ts'

type Person = { profileId: string; name: string }

/** Confirms blocking, after which two users no longer see each other. */
export default function BlockDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const block = useBlock(person, onClose)
  return (
    <ConfirmDialog
      title={safetyTexts.blockDialog.title(person.name)}
      message={safetyTexts.blockDialog.message}
      confirmLabel={safetyTexts.blockDialog.confirm}
      pending={block.isPending}
      onConfirm={() => block.mutate(true)}
      onClose={onClose}
    />
  )
}
