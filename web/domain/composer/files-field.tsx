import { Button, Input } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { postFilesMax } from '@ovation/contract/limits'
import { composerTexts } from '@ovation/contract/texts/posts'
import { uploadTexts } from '@ovation/contract/texts/uploads'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconLibraryPhoto, IconPhotoPlus } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { FileRow } from './file-row.tsx'
import { estimateSeconds } from './file-rules.ts'
import classes from './files-field.module.css'
import type { ChosenFile, useFiles } from './use-files.ts'

const VaultPicker = lazy(() => import('../vault/vault-picker.tsx'))

type Props = { files: ReturnType<typeof useFiles>; disabled: boolean; onChange: () => void }

/** Lets the user choose, drop, or paste files, order them, and see their progress (POST-17, POST-35, POST-36, POST-39). */
export function FilesField({ files, disabled, onChange }: Props) {
  const { list } = files
  const [announced, setAnnounced] = useState('')
  const [picking, setPicking] = useState(false)
  const add = (selection: File[]) => {
    files.add(selection)
    onChange()
  }
  usePastedFiles(add, disabled)

  const move = ({ id, file }: ChosenFile, to: number) => {
    if (to < 0 || to >= list.length) return
    files.move(id, to)
    setAnnounced(uploadTexts.moved(file.name, to + 1, list.length))
  }

  return (
    <Input.Wrapper
      label={composerTexts.mediaLabel}
      description={`${composerTexts.mediaHint} ${uploadTexts.paste}`}
      labelElement="div"
    >
      {/* Accepts any file: our own rules reject the selection as a whole, with our messages (POST-26). */}
      <Dropzone
        onDrop={add}
        disabled={disabled}
        activateOnKeyboard={false}
        inputProps={{ 'aria-label': composerTexts.mediaLabel, accept: 'image/*,video/*,.heic,.heif' }}
        className={classes.drop}
      >
        <IconPhotoPlus size={24} stroke={1.5} aria-hidden="true" />
        <span>
          <span className={classes.dropWords}>{composerTexts.dropHere} </span>
          {/* The keyboard's way in. The drop zone handles the click. */}
          <button type="button" className={classes.choose} disabled={disabled}>
            {composerTexts.choose}
          </button>
        </span>
      </Dropzone>
      <Button
        variant="default"
        mt="xs"
        leftSection={<IconLibraryPhoto size={18} stroke={1.6} />}
        disabled={disabled || list.length >= postFilesMax}
        onClick={() => setPicking(true)}
      >
        {vaultTexts.picker.open}
      </Button>
      {picking && (
        <Suspense>
          <VaultPicker
            forPost
            most={postFilesMax - list.length}
            onPick={(picked) => {
              files.addPicked(picked)
              onChange()
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
      {list.length > 0 && (
        <>
          <ul className={classes.list} data-move-list="">
            {list.map((entry, index) => (
              <FileRow
                key={entry.id}
                entry={entry}
                position={index}
                total={list.length}
                disabled={disabled}
                onMove={(to) => move(entry, to)}
                onRemove={() => files.remove(entry)}
                onPause={(paused) => files.setPaused(entry, paused)}
                onRetry={() => void files.retry(entry)}
                onCaptions={(captions) => files.setCaptions(entry, captions)}
                onFocus={(focus) => files.setFocus(entry, focus)}
                onAlt={(alt) => files.setAlt(entry, alt)}
              />
            ))}
          </ul>
          <p className={`${classes.estimate} facts`}>
            {list.some(isToUpload) && <span>{composerTexts.estimate(durationOf(list))}</span>}
            {list.length > 1 && (
              <span>
                <span className={classes.byMouse}>{uploadTexts.moveHint}</span>
                <span className={classes.byTouch}>{uploadTexts.moveHintTouch}</span>
              </span>
            )}
          </p>
          <p className="visually-hidden" aria-live="polite">
            {announced}
          </p>
        </>
      )}
    </Input.Wrapper>
  )
}

/** Adds pasted pictures wherever the focus is while the dialog is open. Pasted text still goes to the text field. */
function usePastedFiles(add: (files: File[]) => void, disabled: boolean) {
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    if (disabled) return
    const take = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', take)
    return () => document.removeEventListener('paste', take)
  }, [disabled])
}

const isToUpload = ({ path, vault }: ChosenFile): boolean => !path && !vault

function durationOf(list: ChosenFile[]): string {
  const seconds = estimateSeconds(list.filter(isToUpload).map((entry) => entry.file))
  return seconds < 90 ? composerTexts.seconds(seconds) : composerTexts.minutes(Math.ceil(seconds / 60))
}
