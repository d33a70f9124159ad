import { Stack, Textarea, TextInput } from '@mantine/core'
import { fanNameMaxLength, fanNoteMaxLength, fanTagMaxLength, fanTagsMax } from '@ovation/contract/limits'
import { fanTexts } from '@ovation/contract/texts/fans'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './fan-sheet.module.css'
import { type FanNotes, fanNotesQuery } from './queries.ts'

const texts = fanTexts.form

type Props = { viewerId: string; fanId: string; notes: FanNotes }

/** A creator's own name, tags, and note for a fan (LIST-03). */
export function FanNotesForm({ viewerId, fanId, notes }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { customName: notes.custom_name ?? '', tags: notes.tags.join(', '), note: notes.note ?? '' },
    validate: {
      customName: (value) => (value.trim().length > fanNameMaxLength ? texts.errors.customName : null),
      tags: (value) => {
        const tags = tagsIn(value)
        if (tags.length > fanTagsMax) return texts.errors.tooMany
        return tags.some(({ length }) => length > fanTagMaxLength) ? texts.errors.tagLong : null
      },
      note: (value) => (value.trim().length > fanNoteMaxLength ? texts.errors.note : null),
    },
    draft: { key: `fan-notes:${viewerId}:${fanId}` },
  })
  const save = useMutation({
    mutationFn: async ({ customName, tags, note }: typeof form.values) => {
      const row: FanNotes = { custom_name: customName.trim() || null, tags: tagsIn(tags), note: note.trim() || null }
      await supabase
        .from('fan_notes')
        .upsert({ creator_id: viewerId, fan_id: fanId, ...row })
        .throwOnError()
      return row
    },
    onSuccess: (row) => {
      form.forgetDraft()
      queryClient.setQueryData(fanNotesQuery(viewerId, fanId).queryKey, row)
      toast.success(texts.saved)
    },
  })
  const busy = { readOnly: save.isPending, dir: 'auto' } as const
  return (
    <form noValidate aria-label={texts.title} onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
      <h3 className={classes.title}>{texts.title}</h3>
      <p className={classes.dimmed}>{texts.hint}</p>
      <Stack mt="sm">
        <TextInput
          label={texts.customName}
          maxLength={fanNameMaxLength}
          {...busy}
          {...form.getInputProps('customName')}
        />
        <TextInput label={texts.tags} description={texts.tagsHint} {...busy} {...form.getInputProps('tags')} />
        <Textarea label={texts.note} rows={4} maxLength={fanNoteMaxLength} {...busy} {...form.getInputProps('note')} />
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} />
      </Stack>
    </form>
  )
}

/** The tags in a text: between commas, each once in whatever case. */
export function tagsIn(text: string): string[] {
  const tags = new Map<string, string>()
  for (const part of text.split(',')) {
    const tag = part.trim().replaceAll(/\s+/g, ' ')
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()]
}
