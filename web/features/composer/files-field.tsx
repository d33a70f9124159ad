import { CloseButton, Input, Progress } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { uploadHeldPercent } from '@ovation/contract/limits'
import { composerTexts } from '@ovation/contract/texts/posts'
import { IconPhotoPlus, IconVideo } from '@tabler/icons-react'
import { formatBytes } from '../../lib/format.ts'
import { estimateSeconds, mediaTypeOf } from './file-rules.ts'
import classes from './files-field.module.css'
import type { ChosenFile, useFiles } from './use-files.ts'

type Props = { files: ReturnType<typeof useFiles>; disabled: boolean; onChange: () => void }

/** Choose or drop files, see each with its progress (POST-17, POST-35, POST-36, POST-39). */
export function FilesField({ files, disabled, onChange }: Props) {
  const add = (selection: File[]) => {
    files.add(selection)
    onChange()
  }

  return (
    <Input.Wrapper label={composerTexts.mediaLabel} description={composerTexts.mediaHint} labelElement="div">
      {/* It takes any file: one that does not belong refuses the selection as a whole, in our words (POST-26). */}
      <Dropzone
        onDrop={add}
        disabled={disabled}
        aria-label={composerTexts.choose}
        inputProps={{ 'aria-label': composerTexts.mediaLabel, accept: 'image/*,video/*' }}
        className={classes.drop}
      >
        <IconPhotoPlus size={24} stroke={1.5} aria-hidden="true" />
        <span>
          <span className={classes.dropWords}>{composerTexts.dropHere} </span>
          <span className={classes.choose}>{composerTexts.choose}</span>
        </span>
      </Dropzone>
      {files.list.length > 0 && (
        <>
          <ul className={classes.list}>
            {files.list.map((entry) => (
              <FileRow key={entry.id} entry={entry} disabled={disabled} onRemove={() => files.remove(entry)} />
            ))}
          </ul>
          <p className={classes.estimate}>{composerTexts.estimate(durationOf(files.list))}</p>
        </>
      )}
    </Input.Wrapper>
  )
}

function durationOf(list: ChosenFile[]): string {
  const seconds = estimateSeconds(list.filter((entry) => !entry.path).map((entry) => entry.file))
  return seconds < 90 ? composerTexts.seconds(seconds) : composerTexts.minutes(Math.ceil(seconds / 60))
}

type RowProps = { entry: ChosenFile; disabled: boolean; onRemove: () => void }

function FileRow({ entry: { file, preview, progress }, disabled, onRemove }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.thumb} aria-hidden="true">
        {mediaTypeOf(file) === 'image' ? <img src={preview} alt="" /> : <IconVideo size={22} stroke={1.5} />}
      </span>
      <div className={classes.words}>
        <div className={classes.name}>{file.name}</div>
        <div className={classes.state}>
          {formatBytes(file.size)}
          {progress !== undefined && ` · ${stateOf(progress)}`}
        </div>
        {progress !== undefined && (
          <Progress
            value={progress < 0 ? 100 : progress}
            color={progress < 0 ? 'red' : undefined}
            size="xs"
            mt={4}
            aria-label={composerTexts.progressOf(file.name)}
          />
        )}
      </div>
      <CloseButton aria-label={composerTexts.remove(file.name)} onClick={onRemove} disabled={disabled} />
    </li>
  )
}

function stateOf(progress: number): string {
  if (progress < 0) return composerTexts.failedFile
  if (progress === 100) return composerTexts.uploaded
  return progress >= uploadHeldPercent ? composerTexts.confirming : composerTexts.uploading(progress)
}
