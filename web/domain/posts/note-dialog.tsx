import { Checkbox, Stack, Textarea } from '@mantine/core'
import { adminNoteMaxLength } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { postTexts } from '@ovation/contract/texts/posts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { changePost } from './post-cache.ts'
import type { Post } from './queries.ts'

const texts = postTexts.note

/** Edits an admin's note on a post, for its owner or for everyone (POST-13, D28). Saving it empty deletes it. */
export default function NoteDialog({ post, onClose }: { post: Post; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { note: post.admin_note ?? '', forAll: post.admin_note_is_public ?? false },
    draft: { key: `note:${post.id}` },
  })
  const close = () => {
    form.forgetDraft()
    onClose()
  }
  const save = useMutation({
    mutationFn: async ({ note, forAll }: typeof form.values) => {
      const text = note.trim() || null
      const change = { admin_note: text, admin_note_is_public: text !== null && forAll }
      const { data } = await supabase.from('posts').update(change).eq('id', post.id).select('id').throwOnError()
      if (data.length === 0) throw new Error(texts.failed)
      return change
    },
    onSuccess: (change) => {
      changePost(queryClient, post.id, (known) => ({ ...known, ...change }))
      toast.success(change.admin_note ? texts.saved : texts.removed)
      close()
    },
  })
  return (
    <Dialog title={texts.open} onClose={close} closable={!save.isPending}>
      <form onSubmit={form.handleSubmit((values) => save.mutateAsync(values))} noValidate>
        <Stack>
          <Textarea
            label={texts.label}
            description={texts.hint}
            rows={4}
            maxLength={adminNoteMaxLength}
            dir="auto"
            readOnly={save.isPending}
            data-autofocus
            {...form.getInputProps('note')}
          />
          <Checkbox
            label={texts.forAll}
            disabled={save.isPending}
            {...form.getInputProps('forAll', { type: 'checkbox' })}
          />
          <FormFoot
            submit={commonTexts.save}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
            onCancel={close}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
