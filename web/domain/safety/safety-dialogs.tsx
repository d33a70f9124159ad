import { safetyTexts } from '@ovation/contract/texts/safety'
import { lazy, Suspense } from 'react'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ReportTarget } from './report-dialog.tsx'
import { useBlock } from './use-block.ts'

const ReportDialog = lazy(() => import('./report-dialog.tsx'))

type Person = { profileId: string; name: string }

/** Confirms blocking, after which two users no longer see each other. */
export function BlockDialog({ person, onClose }: { person: Person; onClose: () => void }) {
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

export const Report = ({ target, onClose }: { target: ReportTarget; onClose: () => void }) => (
  <Suspense>
    <ReportDialog target={target} onClose={onClose} />
  </Suspense>
)
