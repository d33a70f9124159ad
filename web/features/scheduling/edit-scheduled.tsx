import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { postContentMaxLength, postTitleMaxLength } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { composerTexts } from '@ovation/contract/texts/posts'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { fromLocalInput, timeProblem, toLocalInput } from '../../lib/local-time.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { ScheduledPost } from './queries.ts'
import { useScheduledActions } from './use-scheduled-actions.ts'

const texts = schedulingTexts.list

/** Words and time of a post that waits. Audience, price and files stay: who wants others schedules another post. */
export default function EditScheduled({ post, onClose }: { post: ScheduledPost; onClose: () => void }) {
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const { save } = useScheduledActions(post.id, close)
  const form = useAppForm({
    initialValues: {
      title: post.title ?? '',
      content: post.content,
      publishAt: toLocalInput(new Date(post.publish_at)),
    },
    validate: {
      content: (value) => (value.trim() || post.media_types.length > 0 ? null : composerTexts.errors.empty),
      publishAt: timeProblem,
    },
    draft: { key: `edit-scheduled:${post.id}` },
  })
  const submit = form.handleSubmit(({ title, content, publishAt }) =>
    save.mutateAsync({
      title: title.trim() || null,
      content: content.trim(),
      publish_at: fromLocalInput(publishAt)?.toISOString() ?? post.publish_at,
    }),
  )
  return (
    <Dialog title={texts.editTitle} onClose={close} size="lg" closable={!save.isPending} fullScreenOnPhone>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={composerTexts.titleLabel}
            placeholder={composerTexts.titleHint}
            maxLength={postTitleMaxLength}
            {...form.getInputProps('title')}
          />
          <Textarea
            label={composerTexts.contentLabel}
            rows={5}
            maxLength={postContentMaxLength}
            data-autofocus
            {...form.getInputProps('content')}
          />
          <TimeField {...form.getInputProps('publishAt')} />
          <FormFailure title={texts.saveFailed} message={save.error ? sentenceOf(save.error) : undefined} />
          <Group justify="flex-end" mt="sm">
            <Button variant="default" onClick={close} disabled={save.isPending}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
