import { Alert, Button, FileButton, NativeSelect, Progress, Radio, Stack, Text, Textarea } from '@mantine/core'
import { altTextMaxLength, storyCaptionMaxLength } from '@ovation/contract/limits'
import { storyTexts } from '@ovation/contract/texts/stories'
import { IconPhotoPlus, IconPhotoVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { sized } from '../../lib/media/media-links.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { CaptionsField } from '../captions/captions-field.tsx'
import { fanListsQuery } from '../fans/list-queries.ts'
import { storyAudiences } from './queries.ts'
import classes from './story-composer.module.css'
import { type ChosenFile, useStoryComposer } from './use-story-composer.ts'

const VaultPicker = lazy(() => import('../vault/vault-picker.tsx'))

const texts = storyTexts.composer

/** Shares a photo or video for 24 hours (STORY-01). */
export default function StoryComposer({ viewer, onClose }: { viewer: Viewer; onClose: () => void }) {
  const { form, chosen, problem, choose, pick, captions, setCaptions, share, stage, submit, leave } = useStoryComposer(
    viewer,
    onClose,
  )
  const lists = useQuery(fanListsQuery(viewer.profileId))
  const [picking, setPicking] = useState(false)
  const [asking, setAsking] = useState(false)
  const pending = share.isPending
  const close = () => (chosen || form.isDirty() ? setAsking(true) : leave())

  return (
    <Dialog title={texts.title} onClose={close} closable={!pending} fullScreenOnPhone>
      <form onSubmit={submit} noValidate>
        <Stack>
          {chosen ? (
            <Chosen file={chosen} />
          ) : (
            <p className={classes.empty}>
              <IconPhotoVideo size={32} stroke={1.4} aria-hidden="true" />
              {texts.chooseHint}
            </p>
          )}
          <div className={classes.choose}>
            <FileButton
              onChange={(file) => file && void choose(file)}
              accept="image/*,video/*,.heic,.heif"
              disabled={pending}
              inputProps={{ 'aria-label': texts.choose }}
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  disabled={pending}
                  leftSection={<IconPhotoPlus size={18} stroke={1.6} />}
                  aria-invalid={problem ? true : undefined}
                  aria-describedby={problem ? 'story-problem' : undefined}
                >
                  {chosen ? texts.change : texts.choose}
                </Button>
              )}
            </FileButton>
            <Button variant="default" disabled={pending} onClick={() => setPicking(true)}>
              {texts.fromVault}
            </Button>
          </div>
          {problem && (
            <div id="story-problem">
              <FormFailure title={texts.failed} message={problem} />
            </div>
          )}
          <Textarea
            label={texts.caption}
            description={texts.captionHint}
            maxLength={storyCaptionMaxLength}
            autosize
            minRows={2}
            maxRows={5}
            disabled={pending}
            dir="auto"
            {...form.getInputProps('caption')}
          />
          <Textarea
            label={texts.alt}
            description={texts.altHint}
            maxLength={altTextMaxLength}
            autosize
            minRows={1}
            maxRows={4}
            disabled={pending}
            dir="auto"
            {...form.getInputProps('alt')}
          />
          {chosen?.kind === 'video' && (
            <CaptionsField video={texts.selected} value={captions} disabled={pending} onChange={setCaptions} />
          )}
          <Radio.Group label={texts.audience} readOnly={pending} {...form.getInputProps('audience')}>
            <Stack gap="xs" mt="xs">
              {storyAudiences.map((audience) => (
                <Radio key={audience} value={audience} label={texts.audiences[audience]} disabled={pending} />
              ))}
            </Stack>
          </Radio.Group>
          {form.values.audience === 'list' &&
            (lists.data?.length === 0 ? (
              <Alert color="gray">{texts.noLists}</Alert>
            ) : (
              <NativeSelect
                label={texts.list}
                disabled={pending || !lists.data}
                data={[
                  { value: '', label: texts.errors.noList },
                  ...(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
                ]}
                {...form.getInputProps('list')}
              />
            ))}
          <Text size="sm" c="dimmed">
            {texts.ends}
          </Text>
          {pending && stage && (
            <div role="status">
              <Text size="sm" mb={6}>
                {stage.words}
              </Text>
              <Progress value={stage.percent} animated={stage.percent === 100} aria-label={stage.words} />
            </div>
          )}
          <FormFoot
            submit={texts.submit}
            pending={pending}
            failed={texts.failed}
            error={share.error}
            onCancel={close}
          />
        </Stack>
      </form>
      {picking && (
        <Suspense>
          <VaultPicker
            most={1}
            forPost
            onPick={(picked) => picked[0] && pick(picked[0])}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
      {asking && (
        <ConfirmDialog
          title={texts.discard.title}
          message={texts.discard.message}
          confirmLabel={texts.discard.confirm}
          onConfirm={leave}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}

function Chosen({ file }: { file: ChosenFile }) {
  return (
    <div className={classes.preview}>
      {file.kind === 'video' && file.isLocal ? (
        // biome-ignore lint/a11y/useMediaCaption: the creator's own file, before it has captions
        <video src={file.link} controls playsInline preload="metadata" aria-label={texts.selected} />
      ) : (
        file.link && <img src={file.isLocal ? file.link : sized(file.link, 480)} alt={texts.selected} />
      )}
    </div>
  )
}
