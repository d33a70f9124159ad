import { Radio, Stack, Text, Textarea } from '@mantine/core'
import { reportDetailsMaxLength, reportReasons } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { useMutation } from '@tanstack/react-query'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = safetyTexts.dialog

type Reason = (typeof reportReasons)[number]
type ReportTarget = { type: 'post' | 'comment' | 'message' | 'profile' | 'product' | 'story'; id: string }

/** Reports content to the admins (D43, SUPP-20). The server stores what the reporter saw. */
export default function ReportDialog({ target, onClose }: { target: ReportTarget; onClose: () => void }) {
  const viewer = useViewer()
  const form = useAppForm({
    initialValues: { reason: reportReasons[0] as Reason, details: '' },
    draft: { key: `report:${target.id}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const report = useMutation({
    mutationFn: async ({ reason, details }: typeof form.values) => {
      if (!viewer) throw new Error(commonTexts.profileMissing)
      const { error } = await supabase.from('reports').insert({
        reporter_id: viewer.profileId,
        target_type: target.type,
        target_id: target.id,
        reason,
        details: details.trim() || null,
      })
      if (error && error.code !== uniqueViolation) throw error
      return error ? safetyTexts.alreadyReported : safetyTexts.reported
    },
    onSuccess: (message) => {
      toast.success(message)
      close()
    },
  })

  return (
    <Dialog title={texts.title[target.type]} onClose={close} closable={!report.isPending} fullScreenOnPhone>
      <form onSubmit={form.handleSubmit((values) => report.mutateAsync(values))} noValidate>
        <Stack>
          <Radio.Group label={texts.reason} readOnly={report.isPending} {...form.getInputProps('reason')}>
            <Stack gap="xs" mt="xs">
              {reportReasons.map((one) => (
                <Radio key={one} value={one} label={safetyTexts.reasons[one]} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={texts.details}
            description={texts.detailsHint}
            rows={3}
            maxLength={reportDetailsMaxLength}
            readOnly={report.isPending}
            {...form.getInputProps('details')}
          />
          <Text size="sm" c="dimmed">
            {texts.privacy}
          </Text>
          <FormFoot
            submit={texts.submit}
            pending={report.isPending}
            failed={texts.failed}
            error={report.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
