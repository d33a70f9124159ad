import { Stack, Text, TextInput } from '@mantine/core'
import { postContentMaxLength, postTitleMaxLength } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fromLocalInput, timeProblem, toLocalInput } from '../../lib/format/local-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { NamesTextarea } from '../names/names-textarea.tsx'

export type PostText = { title: string | null; content: string }

type Props = {
  heading: string
  /** Keeps the drafts of different posts apart. */
  draftKey: string
  post: { title: string | null; content: string | null }
  /** A post with files needs no text. */
  hasFiles: boolean
  /** The publication time of a scheduled post; undefined for a published one. */
  publishAt?: string
  failed: string
  /** Rejects with the error that the form shows. */
  onSave: (text: PostText, publishAt: string | undefined) => Promise<unknown>
  onClose: () => void
  /** Other fields. @param busy true while saving. */
  children?: (busy: boolean) => ReactNode
}

/** The text of a post, and the time of a scheduled one. Audience, price, and files can't change, because fans may have paid for them. */
export function EditPostText({
  heading,
  draftKey,
  post,
  hasFiles,
  publishAt,
  failed,
  onSave,
  onClose,
  children,
}: Props) {
  const form = useAppForm({
    initialValues: {
      title: post.title ?? '',
      content: post.content ?? '',
      publishAt: publishAt === undefined ? '' : toLocalInput(new Date(publishAt)),
    },
    validate: {
      content: (value) => (value.trim() || hasFiles ? null : composerTexts.errors.empty),
      publishAt: (value) => (publishAt === undefined ? null : timeProblem(value)),
    },
    draft: { key: draftKey },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      onSave(
        { title: values.title.trim() || null, content: values.content.trim() },
        fromLocalInput(values.publishAt)?.toISOString() ?? publishAt,
      ),
    onSuccess: close,
  })
  const busy = { readOnly: save.isPending }
  const { onChange: _, ...contentField } = form.getInputProps('content')
  return (
    <Dialog title={heading} onClose={close} size="lg" closable={!save.isPending} fullScreenOnPhone>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <TextInput
            label={composerTexts.titleLabel}
            placeholder={composerTexts.titleHint}
            maxLength={postTitleMaxLength}
            dir="auto"
            {...busy}
            {...form.getInputProps('title')}
          />
          <NamesTextarea
            label={composerTexts.contentLabel}
            rows={6}
            maxLength={postContentMaxLength}
            dir="auto"
            data-autofocus
            {...busy}
            {...contentField}
            value={form.values.content}
            onText={(content) => form.setFieldValue('content', content)}
          />
          {publishAt !== undefined && <TimeField {...form.getInputProps('publishAt')} />}
          {children?.(save.isPending)}
          <Text size="sm" c="dimmed">
            {composerTexts.editHint}
          </Text>
          <FormFoot
            submit={commonTexts.save}
            pending={save.isPending}
            failed={failed}
            error={save.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
