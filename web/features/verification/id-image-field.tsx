import { Progress } from '@mantine/core'
import { verificationTexts as texts } from '@ovation/contract/texts/verification'
import { IconId, IconPhotoEdit } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { acceptedImages } from './id-image.ts'
import classes from './id-image-field.module.css'

type Props = {
  label: string
  value: File | null
  error?: ReactNode
  /** Upload progress in percent; null when not uploading. */
  progress: number | null
  disabled?: boolean
  onChange: (file: File) => void
  'data-path'?: string
}

/** One side of the ID: choose or drop a file, see its preview, replace it, and follow its upload (VER-05, VER-08). */
export function IdImageField({ label, value, error, progress, disabled, onChange, 'data-path': path }: Props) {
  const id = useId()
  const [over, setOver] = useState(false)
  const preview = useObjectUrl(value)
  const [broken, setBroken] = useState<string | null>(null)

  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file && !disabled) onChange(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    <div>
      <label
        className={classes.tile}
        data-over={over || undefined}
        data-invalid={error ? true : undefined}
        data-filled={preview !== null || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          id={id}
          type="file"
          className="visually-hidden"
          accept={acceptedImages.join(',')}
          aria-label={value ? texts.replace(label) : label}
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
          disabled={disabled}
          data-path={path}
          onChange={(event) => {
            take(event.currentTarget.files)
            // Allows choosing the same file again after another one.
            event.currentTarget.value = ''
          }}
        />
        {preview && preview !== broken ? (
          <img
            className={classes.preview}
            src={preview}
            alt={texts.preview(label)}
            onError={() => setBroken(preview)}
          />
        ) : (
          <span className={classes.empty} aria-hidden="true">
            <IconId size={30} stroke={1.4} />
            <span className={classes.choose}>{texts.chooseImage}</span>
            <span className={classes.drop}>{texts.dropHint}</span>
          </span>
        )}
        <span className={classes.caption} aria-hidden="true">
          {label}
          {value && <IconPhotoEdit size={18} stroke={1.6} />}
        </span>
      </label>
      {progress !== null && (
        <Progress
          value={progress}
          mt={8}
          aria-label={texts.uploading(label)}
          color={progress === 100 ? 'teal' : undefined}
        />
      )}
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  )
}
