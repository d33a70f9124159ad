import { ActionIcon, CloseButton, Progress, TextInput } from '@mantine/core'
import { altTextMaxLength, uploadHeldPercent } from '@ovation/contract/limits'
import { composerTexts } from '@ovation/contract/texts/posts'
import { uploadTexts } from '@ovation/contract/texts/uploads'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconPhoto, IconPlayerPause, IconPlayerPlay, IconRefresh, IconVideo } from '@tabler/icons-react'
import { useState } from 'react'
import { formatBytes } from '../../lib/format/format-number.ts'
import { MoveHandle } from '../../ui/move-handle.tsx'
import type { Captions } from '../captions/captions.ts'
import { CaptionsField } from '../captions/captions-field.tsx'
import { FocusButton } from '../picture-focus/focus-button.tsx'
import type { Focus } from '../posts/queries.ts'
import { mediaTypeOf } from './file-rules.ts'
import classes from './files-field.module.css'
import type { ChosenFile } from './use-files.ts'

type Props = {
  entry: ChosenFile
  /** Zero-based. */
  position: number
  total: number
  /** True while the post is being published. Upload controls stay enabled. */
  disabled: boolean
  onMove: (to: number) => void
  onRemove: () => void
  onPause: (paused: boolean) => void
  onRetry: () => void
  onCaptions: (captions: Captions[]) => void
  onFocus: (focus: Focus) => void
  onAlt: (alt: string) => void
}

/** A chosen file, its upload progress, and its actions. */
export function FileRow({
  entry,
  position,
  total,
  disabled,
  onMove,
  onRemove,
  onPause,
  onRetry,
  onCaptions,
  onFocus,
  onAlt,
}: Props) {
  const { file, progress, path, paused = false, captions = [], focus, alt = '', vault } = entry
  const { name } = file
  // Most browsers can't show HEIC.
  const [shown, setShown] = useState(mediaTypeOf(file) === 'image' && entry.preview !== '')
  const failed = progress === -1
  const underWay = progress !== undefined && progress >= 0 && progress < uploadHeldPercent && !path
  return (
    <li className={classes.row}>
      {total > 1 && (
        <MoveHandle label={uploadTexts.move(name, position + 1, total)} {...{ position, disabled, onMove }} />
      )}
      <Thumb entry={entry} shown={shown} onFailed={() => setShown(false)} />
      <div className={classes.text}>
        <div className={classes.name}>{name}</div>
        <div className={classes.state}>
          {formatBytes(vault?.size_bytes ?? file.size)}
          {vault && ` · ${vaultTexts.picker.stored}`}
          {progress !== undefined && ` · ${paused && underWay ? uploadTexts.paused : stateOf(progress)}`}
        </div>
        {progress !== undefined && (
          <Progress
            value={failed ? 100 : progress}
            color={failed ? 'red' : path ? 'teal.8' : paused ? 'gray' : undefined}
            size="xs"
            mt={4}
            aria-label={composerTexts.progressOf(name)}
          />
        )}
        {mediaTypeOf(file) === 'video' && (
          <CaptionsField video={name} value={captions} disabled={disabled} onChange={onCaptions} />
        )}
        {mediaTypeOf(file) === 'image' && (
          <TextInput
            mt={6}
            size="xs"
            aria-label={composerTexts.altOf(name)}
            placeholder={composerTexts.altHint}
            maxLength={altTextMaxLength}
            value={alt}
            onChange={({ currentTarget }) => onAlt(currentTarget.value)}
            disabled={disabled}
            dir="auto"
          />
        )}
        {shown && (
          <FocusButton picture={name} url={entry.preview} value={focus} disabled={disabled} onChange={onFocus} />
        )}
      </div>
      {underWay && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={(paused ? uploadTexts.resume : uploadTexts.pause)(name)}
          onClick={() => onPause(!paused)}
        >
          {paused ? <IconPlayerPlay size={18} stroke={1.6} /> : <IconPlayerPause size={18} stroke={1.6} />}
        </ActionIcon>
      )}
      {failed && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={uploadTexts.retry(name)}
          onClick={onRetry}
          disabled={disabled}
        >
          <IconRefresh size={18} stroke={1.6} />
        </ActionIcon>
      )}
      <CloseButton aria-label={composerTexts.remove(name)} onClick={onRemove} disabled={disabled && !underWay} />
    </li>
  )
}

type ThumbProps = {
  entry: ChosenFile
  /** Whether the browser can show it; otherwise it's an icon. */
  shown: boolean
  onFailed: () => void
}

function Thumb({ entry: { file, preview }, shown, onFailed }: ThumbProps) {
  return (
    <span className={classes.thumb} aria-hidden="true">
      {shown ? (
        <img src={preview} alt="" onError={onFailed} />
      ) : mediaTypeOf(file) === 'image' ? (
        <IconPhoto size={22} stroke={1.5} />
      ) : (
        <IconVideo size={22} stroke={1.5} />
      )}
    </span>
  )
}

function stateOf(progress: number): string {
  if (progress < 0) return composerTexts.failedFile
  if (progress === 100) return composerTexts.uploaded
  return progress >= uploadHeldPercent ? composerTexts.confirming : composerTexts.uploading(progress)
}
