import { operationsTexts } from '@ovation/contract/texts/operations'
import { useMutation } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import ReasonDialog from '../../ui/reason-dialog.tsx'
import { toast } from '../../ui/toast.ts'

const texts = operationsTexts.suspension

type Props = { profileId: string; name: string; onDone: () => void; onClose: () => void }

/** Suspends a user. They see the reason. */
export function SuspendDialog({ profileId, name, onDone, onClose }: Props) {
  return (
    <ReasonDialog
      subject={profileId}
      title={texts.title(name)}
      message={texts.message}
      field={{ label: texts.reason, hint: texts.reasonHint, missing: texts.reasonMissing }}
      confirm={texts.confirm}
      done={texts.suspended}
      failed={texts.failed}
      run={async (reason) => supabase.rpc('suspend_user', { profile_id: profileId, reason }).throwOnError()}
      onDone={onDone}
      onClose={onClose}
    />
  )
}

/** Ends a suspension. */
export function ReinstateDialog({ profileId, name, reason, onDone, onClose }: Props & { reason: string }) {
  const reinstatement = useMutation({
    mutationFn: async () => supabase.rpc('reinstate_user', { profile_id: profileId }).throwOnError(),
    onSuccess: () => {
      toast.success(texts.reinstated)
      onDone()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.reinstateFailed),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={texts.reinstateTitle(name)}
      message={texts.reinstateMessage(reason)}
      confirmLabel={texts.reinstateConfirm}
      primary
      pending={reinstatement.isPending}
      onConfirm={() => reinstatement.mutate()}
      onClose={onClose}
    />
  )
}
