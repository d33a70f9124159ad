import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useMutation } from '@tanstack/react-query'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { supabase } from '../../lib/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { OwnPost } from './queries.ts'

const texts = dashboardTexts.content

type Props = { post: OwnPost; onSaved: () => Promise<unknown>; onClose: () => void }

/** The words of a post. What was sold stays as it was: audience, price and files are not changed. */
export default function EditPost({ post, onSaved, onClose }: Props) {
  const form = useAppForm({
    initialValues: { title: post.title ?? '', content: post.content ?? '' },
    validate: { content: (value) => (value.trim() || post.media_count > 0 ? null : composerTexts.errors.empty) },
    draft: { key: `edit-post:${post.id}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const save = useMutation({
    mutationFn: async ({ title, content }: typeof form.values) => {
      const words = { title: title.trim() || null, content: content.trim() }
      await supabase.from('posts').update(words).eq('id', post.id).throwOnError()
    },
    onSuccess: async () => {
      toast.success(texts.saved)
      close()
      await onSaved()
    },
  })
  const busy = { readOnly: save.isPending }
  return (
    <Dialog title={texts.editTitle} onClose={close} closable={!save.isPending} fullScreenOnPhone>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <TextInput label={texts.titleLabel} maxLength={200} {...busy} {...form.getInputProps('title')} />
          <Textarea
            label={texts.contentLabel}
            rows={6}
            maxLength={10_000}
            data-autofocus
            {...busy}
            {...form.getInputProps('content')}
          />
          <Text size="sm" c="dimmed">
            {texts.editHint}
          </Text>
          <FormFailure title={texts.saveFailed} message={save.error ? sentenceOf(save.error) : undefined} />
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
