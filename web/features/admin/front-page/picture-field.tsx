import { Button, CloseButton, FileButton, Input } from '@mantine/core'
import { frontPageTexts as texts } from '@ovation/contract/texts/front-page'
import { lazy, Suspense, useRef, useState } from 'react'
import { imageTypes, refusalOf } from '../../../lib/uploads/upload-image.ts'
import type { ChosenPicture } from '../../../lib/uploads/use-picture.ts'
import { toast } from '../../../ui/toast.ts'
import classes from './front-page.module.css'

const CropDialog = lazy(() => import('../../../ui/crop-dialog.tsx'))

type Props = {
  kind: 'picture' | 'logo'
  chosen: ChosenPicture | undefined
  disabled: boolean
  onChange: (file: File | undefined) => void
}

/** The picture of the front page, which is cropped first, or the logo, which is shown whole. */
export function PictureField({ kind, chosen, disabled, onChange }: Props) {
  const { label, hint, choose, change, remove } = texts[kind]
  const [cropping, setCropping] = useState<File>()
  const reset = useRef<() => void>(null)
  const take = (file: File | null) => {
    if (!file) return
    reset.current?.() // allows choosing the same file again, for example to crop it differently
    const refusal = refusalOf(file)
    if (refusal) toast.error(refusal === 'too-large' ? texts.tooLarge : texts.notAnImage, texts.unusable)
    // GIFs aren't cropped, which would keep only the first frame.
    else if (kind === 'picture' && file.type !== 'image/gif') setCropping(file)
    else onChange(file)
  }
  return (
    <Input.Wrapper label={label} description={hint} labelElement="div">
      <div className={classes.file}>
        {chosen && <img className={classes.thumbnail} data-kind={kind} src={chosen.preview} alt="" />}
        <FileButton
          onChange={take}
          resetRef={reset}
          accept={imageTypes.join(',')}
          disabled={disabled}
          inputProps={{ 'aria-label': label }}
        >
          {(props) => (
            <Button {...props} variant="default" size="sm" disabled={disabled} aria-label={chosen ? change : choose}>
              {chosen ? texts.changeFile : texts.chooseFile}
            </Button>
          )}
        </FileButton>
        {chosen && <CloseButton aria-label={remove} disabled={disabled} onClick={() => onChange(undefined)} />}
      </div>
      {cropping && (
        <Suspense>
          <CropDialog
            kind="front"
            file={cropping}
            onCropped={(file) => {
              setCropping(undefined)
              onChange(file)
            }}
            onClose={() => setCropping(undefined)}
          />
        </Suspense>
      )}
    </Input.Wrapper>
  )
}
