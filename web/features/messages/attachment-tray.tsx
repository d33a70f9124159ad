import { ActionIcon, CloseButton } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { voiceTexts } from '@ovation/contract/texts/voice'
import { IconAlertTriangle, IconEye, IconRefresh, IconVideo } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { describeReceived } from '../../domain/vault/describe-received.ts'
import { ReceivedFailure, useReceived } from '../../domain/vault/received.tsx'
import classes from './message-composer.module.css'
import type { Attachment } from './use-attachments.ts'

const VoicePlayer = lazy(() => import('../../ui/voice-player.tsx'))
const texts = messageTexts.compose

type Shown = Pick<
  Attachment,
  'id' | 'name' | 'type' | 'preview' | 'progress' | 'path' | 'file' | 'fileId' | 'about' | 'failure'
>

type Props = {
  files: Shown[]
  /** The user to whom they go, if it is one. */
  otherId?: string
  onRemove: (id: string) => void
  onRetry?: (id: string) => void
  /** Of a paid message: the file that is shown before the purchase, and a choice of it (INBOX-08). */
  preview?: { id: string | undefined; choose: (id: string | undefined) => void } | undefined
}

/** The message's attachments, with their upload progress. Loads with the first one. */
export default function AttachmentTray({ files, otherId, onRemove, onRetry, preview }: Props) {
  const received = useReceived(
    otherId,
    files.flatMap(({ fileId }) => fileId ?? []),
  )
  // Most files of a set came in the same message.
  const ways = Map.groupBy(files, ({ fileId = '' }) => {
    const had = received.data?.get(fileId)
    return had && describeReceived(had)
  })
  const failed = files.find(({ progress }) => progress === -1)
  return (
    <>
      <ul className={classes.tray}>
        {files.map((file) => (
          <li key={file.id} className={classes.file} data-kind={file.type}>
            {file.type === 'audio' ? (
              <Suspense fallback={<span className={classes.voice} />}>
                <span className={classes.voice}>
                  <VoicePlayer
                    src={file.preview || undefined}
                    pending
                    label={voiceTexts.yours}
                    duration={file.about?.duration}
                    waveform={file.about?.waveform}
                  />
                </span>
              </Suspense>
            ) : file.type === 'image' ? (
              // A file of the vault may be picked before its link has come.
              <img src={file.preview || undefined} alt={file.name} />
            ) : (
              <span className={classes.video} role="img" aria-label={file.name}>
                <IconVideo size={26} stroke={1.5} aria-hidden="true" />
              </span>
            )}
            {!file.path && (
              <span
                className={classes.progress}
                role="progressbar"
                aria-label={texts.uploading(file.name, Math.max(0, file.progress))}
                aria-valuenow={Math.max(0, file.progress)}
                data-failed={file.progress === -1}
              >
                {file.progress === -1 ? (
                  file.file ? null : (
                    <IconAlertTriangle size={20} aria-hidden="true" />
                  )
                ) : (
                  `${String(file.progress)}%`
                )}
              </span>
            )}
            {file.progress === -1 && file.file && onRetry && (
              <ActionIcon
                className={classes.again}
                variant="transparent"
                size={44}
                radius="xl"
                aria-label={texts.uploadAgain(file.name)}
                title={texts.uploadAgain(file.name)}
                onClick={() => onRetry(file.id)}
              >
                <IconRefresh size={22} stroke={1.8} />
              </ActionIcon>
            )}
            {preview && (
              <button
                type="button"
                className={classes.preview}
                aria-label={texts.preview(file.name)}
                title={texts.preview(file.name)}
                aria-pressed={file.id === preview.id}
                onClick={() => preview.choose(file.id === preview.id ? undefined : file.id)}
              >
                <IconEye size={15} stroke={1.8} aria-hidden="true" />
                {file.id === preview.id && texts.free}
              </button>
            )}
            <CloseButton
              className={classes.remove}
              size="sm"
              radius="xl"
              variant="filled"
              aria-label={texts.remove(file.name)}
              onClick={() => onRemove(file.id)}
            />
          </li>
        ))}
      </ul>
      {[...ways].map(
        ([how, { 0: first, length }]) =>
          how &&
          first && (
            <p key={how} className={classes.hint}>
              {texts.received(length === 1 ? first.name : texts.files(length), how)}
            </p>
          ),
      )}
      <ReceivedFailure query={received} />
      {preview && <p className={classes.hint}>{texts.previewHint}</p>}
      {failed && (
        <p className={classes.failure} role="alert">
          {failed.failure ? texts.failedBecause(failed.name, failed.failure) : texts.uploadFailed(failed.name)}
        </p>
      )}
    </>
  )
}
