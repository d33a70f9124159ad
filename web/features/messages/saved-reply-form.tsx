import { Button, CloseButton, Stack, Textarea } from '@mantine/core'
import { messageFilesMax, messageMaxLength, paidMessageMinPriceCents, priceMaxCents } from '@ovation/contract/limits'
import { messageTexts } from '@ovation/contract/texts/messages'
import { savedReplyTexts } from '@ovation/contract/texts/saved-replies'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconLibraryPhoto } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type SavedFile, type SavedReply, savedRepliesQuery } from '../../domain/messages/saved-replies.ts'
import { fileNameOf } from '../../domain/vault/file-name.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { centsOf } from '../../lib/format/cents-of.ts'
import { FormFoot } from '../../ui/form-foot.tsx'
import { PriceInput } from '../../ui/price-input.tsx'
import { announce } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import classes from './saved-replies.module.css'

const VaultPicker = lazy(() => import('../../domain/vault/vault-picker.tsx'))
const texts = savedReplyTexts

type Props = { reply: SavedReply | undefined; canSell: boolean; onDone: () => void }

/** Adds a saved reply, or changes one. */
export function SavedReplyForm({ reply, canSell, onDone }: Props) {
  const queryClient = useQueryClient()
  const [files, setFiles] = useState<SavedFile[]>(reply?.files ?? [])
  const [picking, setPicking] = useState(false)
  const price: number | string = reply?.price_cents ? reply.price_cents / 100 : ''
  const form = useAppForm({
    initialValues: { content: reply?.content ?? '', price },
    draft: { key: `saved-reply:${reply?.id ?? 'new'}` },
    validate: {
      content: (value) => (value.trim() === '' && files.length === 0 ? texts.errors.empty : null),
      price: (value) => {
        const cents = value === '' ? paidMessageMinPriceCents : centsOf(value)
        return cents >= paidMessageMinPriceCents && cents <= priceMaxCents ? null : texts.errors.price
      },
    },
  })
  const save = useMutation({
    mutationFn: async ({ content, price }: typeof form.values) => {
      await supabase
        .rpc('save_reply', {
          content: content.trim(),
          file_ids: files.map(({ id }) => id),
          ...(price !== '' && { price_cents: centsOf(price) }),
          ...(reply && { reply_id: reply.id }),
        })
        .throwOnError()
      await queryClient.invalidateQueries({ queryKey: savedRepliesQuery().queryKey })
    },
    onSuccess: () => {
      form.forgetDraft()
      announce(texts.saved)
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => save.mutateAsync(values))}>
      <Stack>
        <Textarea
          label={texts.text}
          description={texts.textHint}
          rows={4}
          maxLength={messageMaxLength}
          dir="auto"
          data-autofocus
          readOnly={save.isPending}
          {...form.getInputProps('content')}
        />
        {canSell && (
          <>
            <PriceInput
              label={texts.price}
              description={texts.priceHint}
              readOnly={save.isPending}
              {...form.getInputProps('price')}
            />
            <div>
              {files.length > 0 && (
                <ul className={classes.files} aria-label={texts.filesTitle}>
                  {files.map((file) => (
                    <li key={file.id}>
                      <span>{fileNameOf(file)}</span>
                      <CloseButton
                        size="sm"
                        aria-label={messageTexts.compose.remove(fileNameOf(file))}
                        onClick={() => setFiles((all) => all.filter(({ id }) => id !== file.id))}
                      />
                    </li>
                  ))}
                </ul>
              )}
              <Button
                variant="default"
                leftSection={<IconLibraryPhoto size={18} stroke={1.6} />}
                disabled={files.length >= messageFilesMax}
                onClick={() => setPicking(true)}
              >
                {vaultTexts.picker.open}
              </Button>
            </div>
          </>
        )}
        <FormFoot
          submit={texts.save}
          pending={save.isPending}
          failed={texts.saveFailed}
          error={save.error}
          onCancel={onDone}
        />
      </Stack>
      {picking && (
        <Suspense>
          <VaultPicker
            most={messageFilesMax - files.length}
            onPick={(picked) => {
              setFiles((all) => [...all, ...picked.map(({ file }) => file)])
              form.clearFieldError('content')
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </form>
  )
}
