import { Text, Textarea } from '@mantine/core'
import { rejectionReasonMaxLength } from '@ovation/contract/limits'
import { adminTexts } from '@ovation/contract/texts/admin'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { Application } from './application-queries.ts'
import { useReview } from './use-review.ts'

const texts = adminTexts.review

type Props = {
  application: Pick<Application, 'id' | 'full_name'>
  decision: 'approved' | 'rejected'
  onClose: () => void
}

/** Confirms a decision, with the reason for a rejection (ADM-05, ADM-08). Stays open, with the text, if it fails. */
export default function ReviewDialog({ application: { id, full_name }, decision, onClose }: Props) {
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const review = useReview(close)
  const rejects = decision === 'rejected'
  const form = useAppForm({
    initialValues: { reason: '' },
    validate: { reason: (value) => (rejects && !value.trim() ? texts.reasonMissing : null) },
    draft: { key: `review:${id}` },
  })
  const submit = form.handleSubmit(({ reason }) =>
    review.mutateAsync(rejects ? { id, status: decision, reason: reason.trim() } : { id, status: decision }),
  )

  return (
    <Dialog
      title={rejects ? texts.rejectTitle : texts.approveTitle}
      onClose={close}
      size="sm"
      closable={!review.isPending}
    >
      <form onSubmit={submit} noValidate>
        <Text mb="md">{rejects ? texts.rejectMessage(full_name) : texts.approveMessage(full_name)}</Text>
        {rejects && (
          <Textarea
            label={texts.reason}
            required
            rows={4}
            maxLength={rejectionReasonMaxLength}
            readOnly={review.isPending}
            mb="md"
            data-autofocus
            {...form.getInputProps('reason')}
          />
        )}
        <FormFoot
          submit={rejects ? adminTexts.applications.reject : adminTexts.applications.approve}
          pending={review.isPending}
          failed={texts.failed}
          error={review.error}
          onCancel={close}
        />
      </form>
    </Dialog>
  )
}
