import { Button, Group, Stack, Textarea } from '@mantine/core'
import { messageMaxLength } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { type MassKind, massMessagesKey, recipientsCountQuery } from '../../../domain/mass-messages/queries.ts'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { supabase } from '../../../lib/api/supabase.ts'
import type { Viewer } from '../../../lib/auth/viewer.ts'
import { formatCents, formatCount } from '../../../lib/format/format-number.ts'
import { ownZone } from '../../../lib/format/local-time.ts'
import { formatZoned, fromZonedInput } from '../../../lib/format/zoned-time.ts'
import { useMediaLinks } from '../../../lib/media/media-links.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FormFailure } from '../../../ui/form-failure.tsx'
import { PriceInput } from '../../../ui/price-input.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAppForm } from '../../../ui/use-app-form.ts'
import { AudienceFields } from './audience-fields.tsx'
import { FileFields } from './file-fields.tsx'
import classes from './mass-form.module.css'
import { canSave, isBlank, type MassValues, priceOf, recipientsOf, rules } from './mass-values.ts'
import { OptionFields } from './option-fields.tsx'
import { TimeFields } from './time-fields.tsx'
import { useMassDraft } from './use-mass-draft.ts'

// The form can be written in before the thread's code has loaded.
const FanPreview = lazy(() => import('./fan-preview.tsx'))

const texts = massMessageTexts.compose

type Props = {
  viewer: Viewer
  /** Names the copy that this browser keeps. */
  draftKey: string
  initial: MassValues
  /** A message that is scheduled already: it changes only when its creator says so. */
  isScheduled: boolean
}

/** Writes a mass message: for whom, what, when, and how a fan will see it (MASS-01, MASS-02). */
export default function MassForm({ viewer, draftKey, initial, isScheduled }: Props) {
  const viewerId = viewer.profileId
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [confirming, setConfirming] = useState<number>()
  const form = useAppForm<MassValues>({
    initialValues: initial,
    validate: rules,
    draft: { key: draftKey, place: 'device' },
    onValuesChange: () => draft.noteChange(),
  })
  const draft = useMassDraft({
    viewerId,
    opened: initial.savedAs ? initial : undefined,
    isAuto: !isScheduled,
    read: form.getValues,
    onSavedAs: (id) => form.getValues().savedAs !== id && form.setFieldValue('savedAs', id),
    onKept: form.forgetDraft,
  })
  const media = useMediaLinks(
    form.values.files.map(({ path }) => path),
    'vault',
  )

  const leave = (kind: MassKind, words: string) => {
    draft.finish()
    void queryClient.invalidateQueries({ queryKey: [...massMessagesKey(viewerId), 'list'] })
    toast.leaving(words)
    navigate(paths.massMessages(kind))
  }
  const send = useMutation({
    scope: { id: 'mass-message' },
    mutationFn: async (values: MassValues) => {
      const mass_message_id = await draft.save(values)
      const at = values.later ? fromZonedInput(values.sendAt, values.zone) : null
      const { data } = await supabase
        .rpc('send_mass_message', {
          mass_message_id,
          ...(at && { send_at: at.toISOString(), time_zone: values.zone }),
        })
        .throwOnError()
      return { at, count: data.recipients_count ?? confirming ?? 0 }
    },
    onSuccess: ({ at, count }, { zone }) =>
      at
        ? leave('scheduled', texts.scheduled(formatZoned(at.toISOString(), zone)))
        : leave('history', texts.sent(count, formatCount(count))),
    onSettled: () => setConfirming(undefined),
  })
  const keep = useMutation({
    scope: { id: 'mass-message' },
    mutationFn: draft.save,
    onSuccess: () => leave('draft', texts.saved),
  })

  /** Asks before it is sent at once, with the number of now. */
  const submit = async (values: MassValues) => {
    if (values.later) return send.mutateAsync(values)
    send.reset()
    const count = await queryClient.fetchQuery(recipientsCountQuery(viewerId, recipientsOf(values)))
    if (count === 0) form.showError('to', texts.nobody)
    else setConfirming(count)
  }
  const asking = useMutation({ mutationFn: submit })
  const isBusy = send.isPending || keep.isPending
  const problem = send.error ?? keep.error ?? asking.error
  const price = priceOf(form.values)
  const { later } = form.values
  return (
    <div className={classes.layout}>
      <form className={classes.form} noValidate onSubmit={form.handleSubmit((values) => asking.mutateAsync(values))}>
        <Stack gap="lg">
          <AudienceFields viewerId={viewerId} form={form} readOnly={isBusy} />
          <Textarea
            label={texts.content}
            rows={6}
            maxLength={messageMaxLength}
            dir="auto"
            readOnly={isBusy}
            {...form.getInputProps('content')}
          />
          <FileFields form={form} links={media.links} readOnly={isBusy} />
          <PriceInput
            label={texts.price}
            description={texts.priceHint}
            className={classes.short ?? ''}
            readOnly={isBusy}
            {...form.getInputProps('price')}
          />
          <OptionFields form={form} readOnly={isBusy} />
          <TimeFields form={form} readOnly={isBusy} />
        </Stack>
        <div className={classes.foot} data-keep-clear>
          <FormFailure title={texts.failed} message={problem ? reasonOf(problem) : undefined} />
          <Group gap="xs" justify="flex-end">
            <span className={classes.state}>{stateOf(draft)}</span>
            {!isScheduled && (
              <Button
                variant="default"
                loading={keep.isPending}
                disabled={isBusy || isBlank(form.values) || !canSave(form.values)}
                onClick={() => keep.mutate(form.getValues())}
              >
                {texts.save}
              </Button>
            )}
            <Button type="submit" loading={asking.isPending || send.isPending}>
              {later ? texts.schedule : texts.send}
            </Button>
          </Group>
        </div>
      </form>
      <Suspense>
        <FanPreview viewer={viewer} values={form.values} media={media} />
      </Suspense>
      {confirming !== undefined && (
        <ConfirmDialog
          primary
          title={texts.confirm.title(confirming, formatCount(confirming))}
          message={price === null ? texts.confirm.free : texts.confirm.paid(formatCents(price))}
          confirmLabel={texts.confirm.send}
          pending={send.isPending}
          onConfirm={() => send.mutate(form.getValues())}
          onClose={() => setConfirming(undefined)}
        />
      )}
    </div>
  )
}

function stateOf({
  isSaving,
  isSaved,
  error,
}: Pick<ReturnType<typeof useMassDraft>, 'isSaving' | 'isSaved' | 'error'>) {
  if (isSaving) return texts.saving
  if (error) return texts.notSaved(errorMessageOf(error))
  return isSaved && texts.saved
}

/** Of the limit of a day, when the next message is allowed (MASS-07), in the creator's time zone. */
function reasonOf(error: Error & { code?: string; details?: string | null }): string {
  const isLimit = error.code === 'PT429' && error.details && !Number.isNaN(Date.parse(error.details))
  return isLimit ? texts.limit(formatZoned(String(error.details), ownZone())) : errorMessageOf(error)
}
