import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { postContentMaxLength, postTitleMaxLength } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Viewer } from '../../lib/viewer.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { plansQuery } from '../subscriptions/queries.ts'
import { AudienceField } from './audience-field.tsx'
import { FilesField } from './files-field.tsx'
import { useComposer } from './use-composer.ts'

/** POST-17..POST-23, POST-36 */
export default function ComposerDialog({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const { form, files, submit, pending, isDirty } = useComposer(viewer, onClose)
  const plans = useQuery(plansQuery(viewer.profileId))
  const [discarding, setDiscarding] = useState(false)
  const close = () => (isDirty ? setDiscarding(true) : onClose())
  const { audience } = form.values
  // A plan that was retired meanwhile is no audience (POST-22).
  const noAudience = audience !== 'free' && audience !== 'ppv' && !plans.data?.some((plan) => plan.id === audience)

  return (
    <Dialog title={composerTexts.title} onClose={close} size="lg" closable={!pending} fullScreenOnPhone>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={composerTexts.titleLabel}
            placeholder={composerTexts.titleHint}
            maxLength={postTitleMaxLength}
            disabled={pending}
            {...form.getInputProps('title')}
          />
          <Textarea
            label={composerTexts.contentLabel}
            placeholder={composerTexts.contentPlaceholder}
            rows={5}
            maxLength={postContentMaxLength}
            disabled={pending}
            data-autofocus
            {...form.getInputProps('content')}
          />
          <FilesField files={files} disabled={pending} onChange={() => form.clearFieldError('content')} />
          <AudienceField form={form} plans={plans} disabled={pending} />
          <Group justify="flex-end" mt="sm">
            <Button variant="default" onClick={close} disabled={pending}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" loading={pending} disabled={noAudience}>
              {composerTexts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
      {discarding && (
        <ConfirmDialog
          title={composerTexts.discard.title}
          message={composerTexts.discard.message}
          confirmLabel={composerTexts.discard.confirm}
          onConfirm={onClose}
          onClose={() => setDiscarding(false)}
        />
      )}
    </Dialog>
  )
}
