import { Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { FormFoot } from './form-foot.tsx'
import { announce, toast } from './toast.ts'
import { useAppForm } from './use-app-form.ts'

const longestReason = 500

type Props = {
  /** The target of the action, so that a draft about one is never restored for another. */
  subject: string
  title: string
  message: ReactNode
  /** The reason's label, an explanation of who reads it, and the error if it is empty. */
  field: { label: string; hint?: string; missing: string }
  confirm: string
  done: string
  failed: string
  run: (reason: string) => Promise<unknown>
  /** Whether `onDone` leads to another screen. */
  leaves?: boolean
  /** Whether the screen shows the result: then only screen readers hear of it. */
  shows?: boolean
  onDone: () => void
  onClose: () => void
}

/** A serious action that requires a reason, which is stored. */
export default function ReasonDialog({
  subject,
  title,
  message,
  field,
  confirm,
  done,
  failed,
  run,
  leaves = false,
  shows = false,
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
      if (shows) announce(done)
      else if (leaves) toast.leaving(done)
      else toast.success(done)
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
        <FormFoot submit={confirm} pending={act.isPending} failed={failed} error={act.error} onCancel={close} />
      </form>
    </Dialog>
  )
}
