import { CloseButton } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconAlertTriangle, IconVideo } from '@tabler/icons-react'
import classes from './message-composer.module.css'
import type { Attachment } from './use-attachments.ts'

const texts = messageTexts.compose

/** The message's attachments, with their upload progress. */
export function AttachmentTray({ files, onRemove }: { files: Attachment[]; onRemove: (file: Attachment) => void }) {
  if (files.length === 0) return null
  const failed = files.find(({ progress }) => progress === -1)
  return (
    <>
      <ul className={classes.tray}>
        {files.map((file) => (
          <li key={file.id} className={classes.file}>
            {file.type === 'image' ? (
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
                  <IconAlertTriangle size={20} aria-hidden="true" />
                ) : (
                  `${String(file.progress)}%`
                )}
              </span>
            )}
            <CloseButton
              className={classes.remove}
              size="sm"
              radius="xl"
              variant="filled"
              aria-label={texts.remove(file.name)}
              onClick={() => onRemove(file)}
            />
          </li>
        ))}
      </ul>
      {failed && (
        <p className={classes.failure} role="alert">
          {texts.uploadFailed(failed.name)}
        </p>
      )}
    </>
  )
}
