import { Stack, Textarea, TextInput } from '@mantine/core'
import { altTextMaxLength, vaultCaptionMaxLength, vaultFileNameMaxLength } from '@ovation/contract/limits'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { VaultFile } from '../../domain/vault/queries.ts'
import { vaultKey } from '../../domain/vault/vault-key.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './file-sheet.module.css'

const texts = vaultTexts.file.about

/** The name of a file, and what its later uses begin with (VAULT-05). */
export function AboutForm({ file }: { file: VaultFile }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { name: file.name ?? '', alt: file.alt_text ?? '', caption: file.caption ?? '' },
    validate: {
      alt: (value) => (value.trim().length > altTextMaxLength ? texts.errors.alt : null),
      caption: (value) => (value.trim().length > vaultCaptionMaxLength ? texts.errors.caption : null),
    },
    draft: { key: `vault-file:${file.id}` },
  })
  const save = useMutation({
    mutationFn: async ({ name, alt, caption }: typeof form.values) => {
      await supabase
        .from('vault_files')
        .update({ name: name.trim() || null, alt_text: alt.trim() || null, caption: caption.trim() || null })
        .eq('id', file.id)
        .throwOnError()
    },
    onSuccess: () => {
      form.forgetDraft()
      toast.success(texts.saved)
      void queryClient.invalidateQueries({ queryKey: [...vaultKey, 'files'] })
    },
  })
  const busy = { readOnly: save.isPending, dir: 'auto' } as const
  return (
    <form
      noValidate
      aria-label={texts.title}
      className={classes.section}
      onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}
    >
      <h3 className={classes.title}>{texts.title}</h3>
      <p className={classes.hint}>{texts.hint}</p>
      <Stack mt="sm">
        <TextInput label={texts.name} maxLength={vaultFileNameMaxLength} {...busy} {...form.getInputProps('name')} />
        {file.kind === 'image' && (
          <Textarea
            label={texts.alt}
            description={texts.altHint}
            rows={2}
            maxLength={altTextMaxLength}
            {...busy}
            {...form.getInputProps('alt')}
          />
        )}
        <Textarea
          label={texts.caption}
          description={texts.captionHint}
          rows={3}
          maxLength={vaultCaptionMaxLength}
          {...busy}
          {...form.getInputProps('caption')}
        />
        <FormFoot submit={texts.submit} pending={save.isPending} failed={texts.failed} error={save.error} />
      </Stack>
    </form>
  )
}
