import { Button, Group, Text, Textarea } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'

const longestReason = 500

type Props = {
  /** What it is done to, so that words about one are never brought back for another. */
  subject: string
  title: string
  message: string
  /** The field's words: what it is called, who reads it, and what is said when it is empty. */
  field: { label: string; hint?: string; missing: string }
  confirm: string
  done: string
  failed: string
  run: (reason: string) => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

/** Something grave that is done for a reason, which is asked for and kept. */
export default function ReasonDialog({
  subject,
  title,
  message,
  field,
  confirm,
  done,
  failed,
  run,
  onDone,
  onClose,
}: Props) {
  const form = useAppForm({
    initialValues: { reason: '' },
    validate: { reason: (value) => (value.trim() ? null : field.missing) },
    draft: { key: `reason:${subject}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const act = useMutation({
    mutationFn: (reason: string) => run(reason.trim()),
    onSuccess: () => {
      toast.success(done)
      onDone()
      close()
    },
  })

  return (
    <Dialog title={title} onClose={close} size="md" closable={!act.isPending}>
      <form onSubmit={form.handleSubmit(({ reason }) => act.mutateAsync(reason))} noValidate>
        <Text mb="md">{message}</Text>
        <Textarea
          label={field.label}
          description={field.hint}
          rows={3}
          required
          maxLength={longestReason}
          readOnly={act.isPending}
          {...form.getInputProps('reason')}
          mb="md"
          data-autofocus
        />
        <FormFailure title={failed} message={act.error ? sentenceOf(act.error) : undefined} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} disabled={act.isPending}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" loading={act.isPending}>
            {confirm}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
