import { Button, CloseButton, FileButton, Input } from '@mantine/core'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useRef } from 'react'
import { imageTypes, refusalOf } from '../../lib/uploads/upload-image.ts'
import { toast } from '../../ui/toast.ts'
import classes from './cover-field.module.css'
import type { Cover } from './use-cover.ts'

const texts = composerTexts.cover

type Props = {
  cover: Cover | undefined
  disabled: boolean
  /** For the cover of something other than a post. */
  words?: { label: string; hint: string }
  onChange: (file: File | undefined) => void
}

/** The free cover of a post for subscribers or for a price (LOOP-14), or of a product (OFFER-05). */
export function CoverField({ cover, disabled, words = texts, onChange }: Props) {
  const reset = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (!file) return
    reset.current?.() // allows choosing the same file again
    const refusal = refusalOf(file)
    if (refusal) toast.error(refusal === 'too-large' ? texts.tooLarge : texts.notAnImage, texts.failed)
    else onChange(file)
  }
  return (
    <Input.Wrapper label={words.label} description={words.hint} labelElement="div">
      <div className={classes.row}>
        {cover && <img className={classes.picture} src={cover.preview} alt="" />}
        <FileButton
          onChange={choose}
          resetRef={reset}
          accept={imageTypes.join(',')}
          disabled={disabled}
          inputProps={{ 'aria-label': words.label }}
        >
          {(props) => (
            <Button {...props} variant="default" size="sm">
              {cover ? texts.change : texts.choose}
            </Button>
          )}
        </FileButton>
        {cover && <CloseButton aria-label={texts.remove} disabled={disabled} onClick={() => onChange(undefined)} />}
      </div>
    </Input.Wrapper>
  )
}
