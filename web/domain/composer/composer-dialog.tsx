import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { postContentMaxLength, postTitleMaxLength } from '@ovation/contract/limits'
import { commonTexts } from '@ovation/contract/texts/common'
import { composerTexts } from '@ovation/contract/texts/posts'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconCircleDashed, IconEye } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { toast } from '../../ui/toast.ts'
import { CommentersField } from '../comment-rules/commenters-field.tsx'
import { NamesTextarea } from '../names/names-textarea.tsx'
import { monetizationQuery } from '../payments/monetization.ts'
import { CoverField } from '../posts/cover-field.tsx'
import { plansQuery } from '../subscriptions/plan-queries.ts'
import type { PickedFile } from '../vault/vault-picker.tsx'
import { ApplicationNotice } from './application-notice.tsx'
import { AudienceField } from './audience-field.tsx'
import classes from './composer-dialog.module.css'
import { FilesField } from './files-field.tsx'
import { PollFields } from './poll-fields.tsx'
import { useComposer } from './use-composer.ts'

// Rarely used.
const PostPreview = lazy(() => import('./post-preview.tsx'))

type Props = {
  viewer: Viewer
  /** Files of the vault that the post begins with (VAULT-04). */
  picked?: PickedFile[]
  /** Opens the form of a story instead (STORY-01). */
  onStory?: () => void
  onClose: () => void
}

/** POST-17..POST-23, POST-36 */
export default function ComposerDialog({ viewer, picked, onStory, onClose }: Props) {
  const { form, files, cover, draftIsBack, submit, pending, isDirty } = useComposer(viewer, onClose, picked)
  const plans = useQuery(plansQuery(viewer.profileId))
  const usualCents = useQuery(monetizationQuery(viewer.profileId)).data?.ppv_price_cents
  const [asking, setAsking] = useState<'discard' | 'preview' | 'story'>()
  const discard = () => {
    form.forgetDraft()
    if (asking === 'story') onStory?.()
    else onClose()
  }
  const close = () => (isDirty ? setAsking('discard') : discard())
  /** The form keeps it (LOOP-08). */
  const keep = () => {
    toast.success(schedulingTexts.waiting.saved)
    onClose()
  }
  const { onChange: _, ...contentField } = form.getInputProps('content')
  const { audience, scheduled, asks } = form.values
  // A plan deactivated in the meantime isn't a valid audience (POST-22).
  const noAudience = audience !== 'free' && audience !== 'ppv' && !plans.data?.some((plan) => plan.id === audience)

  return (
    <Dialog title={composerTexts.title} onClose={close} size="lg" closable={!pending} fullScreenOnPhone>
      <form onSubmit={viewer.mayPublish ? submit : (event) => event.preventDefault()} noValidate>
        <Stack className={classes.fields ?? ''}>
          {!viewer.mayPublish && <ApplicationNotice userId={viewer.userId} onLeave={onClose} />}
          {onStory && viewer.mayPublish && (
            <Button
              variant="default"
              leftSection={<IconCircleDashed size={18} stroke={1.6} />}
              onClick={() => (isDirty ? setAsking('story') : onStory())}
              disabled={pending}
            >
              {storyTexts.composer.open}
            </Button>
          )}
          {draftIsBack && (
            <Text size="sm" c="dimmed" role="status">
              {viewer.mayPublish ? schedulingTexts.draftBack : schedulingTexts.waiting.back}
            </Text>
          )}
          <TextInput
            label={composerTexts.titleLabel}
            placeholder={composerTexts.titleHint}
            maxLength={postTitleMaxLength}
            disabled={pending}
            dir="auto"
            {...form.getInputProps('title')}
          />
          <NamesTextarea
            label={composerTexts.contentLabel}
            placeholder={composerTexts.contentPlaceholder}
            rows={5}
            maxLength={postContentMaxLength}
            disabled={pending}
            data-autofocus
            dir="auto"
            {...contentField}
            value={form.values.content}
            onText={(content) => form.setFieldValue('content', content)}
          />
          {/* Files belong to a post, and a draft is only in this browser. */}
          {viewer.mayPublish && (
            <FilesField files={files} disabled={pending} onChange={() => form.clearFieldError('content')} />
          )}
          <AudienceField
            form={form}
            plans={plans}
            usualPrice={usualCents ? String(usualCents / 100) : ''}
            disabled={pending}
          />
          {/* A draft would lose it too. */}
          {viewer.mayPublish && audience !== 'free' && (
            <CoverField cover={cover.cover} disabled={pending} onChange={cover.choose} />
          )}
          {viewer.mayPublish && (
            <CommentersField
              creatorId={viewer.profileId}
              value={form.values.commenters}
              onChange={(commenters) => form.setFieldValue('commenters', commenters)}
              hasDefault
              disabled={pending}
            />
          )}
          <Switch
            label={schedulingTexts.poll}
            disabled={pending}
            {...form.getInputProps('asks', { type: 'checkbox' })}
          />
          {/* Not lazy: fields that appear late would move the next switch away from under a finger. */}
          {asks && <PollFields form={form} disabled={pending} />}
          {viewer.mayPublish && (
            <Switch
              label={schedulingTexts.schedule}
              disabled={pending}
              {...form.getInputProps('scheduled', { type: 'checkbox' })}
            />
          )}
          {viewer.mayPublish && scheduled && <TimeField disabled={pending} {...form.getInputProps('publishAt')} />}
          <Group justify="flex-end" gap="xs" wrap="nowrap" className={classes.actions ?? ''} data-keep-clear>
            <Button
              variant="subtle"
              mr="auto"
              px="xs"
              leftSection={<IconEye size={18} stroke={1.6} />}
              onClick={() => setAsking('preview')}
              disabled={pending || !isDirty}
            >
              {schedulingTexts.preview.open}
            </Button>
            <Button variant="default" onClick={close} disabled={pending}>
              {commonTexts.cancel}
            </Button>
            {viewer.mayPublish ? (
              <Button type="submit" loading={pending} disabled={noAudience}>
                {scheduled ? schedulingTexts.submit : composerTexts.submit}
              </Button>
            ) : (
              <Button onClick={keep} disabled={!isDirty}>
                {schedulingTexts.waiting.save}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {asking === 'preview' && (
        <Suspense>
          <PostPreview
            viewer={viewer}
            values={form.values}
            files={files.list}
            cover={cover.cover?.preview}
            plan={plans.data?.find((plan) => plan.id === audience)}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
      {(asking === 'discard' || asking === 'story') && (
        <ConfirmDialog
          title={composerTexts.discard.title}
          message={composerTexts.discard.message}
          confirmLabel={composerTexts.discard.confirm}
          onConfirm={discard}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Dialog>
  )
}
