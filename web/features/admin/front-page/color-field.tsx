import { Button, Input, TextInput } from '@mantine/core'
import { frontPageTexts } from '@ovation/contract/texts/front-page'
import type { ComponentProps } from 'react'
import { changeOf, frontShades } from '../../../domain/front-page/accent.ts'
import { isColor, ownAccent } from '../../../ui/accent-shades.ts'
import classes from './front-page.module.css'

const texts = frontPageTexts.color

type Props = {
  /** As typed; empty for the product's own. */
  value: string
  disabled: boolean
  onChange: (value: string) => void
  /** Of the text field. */
  input: ComponentProps<typeof TextInput>
}

/** The color of buttons and links, picked or typed, with what becomes of it on light and dark (FIND-06). */
export function ColorField({ value, disabled, onChange, input }: Props) {
  const typed = value.trim()
  const color = isColor(typed) ? typed : ownAccent
  return (
    <Input.Wrapper label={texts.label} description={texts.hint} labelElement="div">
      <div className={classes.color}>
        <input
          type="color"
          className={classes.picker}
          aria-label={texts.label}
          value={color.toLowerCase()}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <TextInput
          className={classes.hex ?? ''}
          aria-label={texts.value}
          placeholder={ownAccent}
          maxLength={7}
          spellCheck={false}
          readOnly={disabled}
          {...input}
        />
        {typed !== '' && (
          <Button variant="subtle" color="gray" disabled={disabled} onClick={() => onChange('')}>
            {texts.reset}
          </Button>
        )}
      </div>
      {isColor(typed) && (
        <div className={classes.samples}>
          <Sample scheme="light" color={typed} />
          <Sample scheme="dark" color={typed} />
          <p aria-live="polite">{texts[changeOf(typed)]}</p>
        </div>
      )}
    </Input.Wrapper>
  )
}

/** A button and a link as they look in a scheme, whichever the admin uses. */
function Sample({ scheme, color }: { scheme: 'light' | 'dark'; color: string }) {
  const { fill, text } = frontShades(color, scheme)
  return (
    <div className={classes.sample} data-scheme={scheme} aria-hidden="true">
      <span style={{ background: fill }}>{frontPageTexts[scheme]}</span>
      <span style={{ color: text }}>{frontPageTexts.previewLink}</span>
    </div>
  )
}
