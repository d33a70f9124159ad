import { Button, Group, Text, Textarea } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { toast } from '../../ui/toast.ts'

const longestReason = 500

type Props = {
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

/** Something grave that an admin does for a reason, which is asked for and kept. */
export default function ReasonDialog({ title, message, field, confirm, done, failed, run, onDone, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const act = useMutation({
    mutationFn: () => run(reason.trim()),
    onSuccess: () => {
      toast.success(done)
      onDone()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') return act.mutate()
    setMissing(true)
    textarea.current?.focus()
  }

  return (
    <Dialog title={title} onClose={onClose} size="md" closable={!act.isPending}>
      <form onSubmit={submit} noValidate>
        <Text mb="md">{message}</Text>
        <Textarea
          ref={textarea}
          label={field.label}
          description={field.hint}
          rows={3}
          required
          maxLength={longestReason}
          value={reason}
          error={missing && field.missing}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setMissing(false)
          }}
          mb="md"
          data-autofocus
        />
        <FormFailure title={failed} message={act.error ? sentenceOf(act.error) : undefined} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose} disabled={act.isPending}>
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
