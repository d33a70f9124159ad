import { Button, TextInput, type TextInputProps } from '@mantine/core'
import { pageSettingsTexts } from '@ovation/contract/texts/page-settings'
import type { CSSProperties } from 'react'
import { creatorShades } from '../../domain/creators/accent.ts'
import { ownAccent } from '../../ui/accent-shades.ts'
import classes from './page-settings.module.css'

const texts = pageSettingsTexts.color

type Props = TextInputProps & {
  /** The typed color, or null if it is none. */
  code: string | null
  onPick: (color: string) => void
}

/** A color by its code or from the browser's picker, and how it looks in both color schemes. */
export function AccentField({ code, onPick, readOnly, ...input }: Props) {
  const shown = code ?? ownAccent
  return (
    <div>
      <TextInput
        label={texts.label}
        description={texts.hint}
        placeholder={ownAccent}
        maxLength={7}
        autoComplete="off"
        spellCheck={false}
        readOnly={readOnly}
        leftSection={
          <input
            type="color"
            className={classes.picker}
            aria-label={texts.pick}
            value={shown}
            disabled={readOnly}
            onChange={(event) => onPick(event.currentTarget.value)}
          />
        }
        leftSectionPointerEvents="all"
        {...input}
      />
      <div className={classes.previews} role="img" aria-label={texts.preview}>
        <Preview scheme="light" color={shown} />
        <Preview scheme="dark" color={shown} />
      </div>
      <p className={classes.note}>{texts.adjusted}</p>
      {code && (
        <Button variant="subtle" color="gray" px="xs" ml="-xs" disabled={readOnly} onClick={() => onPick('')}>
          {texts.reset}
        </Button>
      )}
    </div>
  )
}

function Preview({ scheme, color }: { scheme: 'light' | 'dark'; color: string }) {
  const { fill, label, text } = creatorShades(color, scheme)
  const style: CSSProperties = Object.fromEntries([
    ['--fill', fill],
    ['--label', label],
    ['--text', text],
  ])
  return (
    <div className={classes.preview} data-scheme={scheme} style={style}>
      <span className={classes.scheme}>{texts[scheme]}</span>
      <span className={classes.tab}>{texts.tab}</span>
      <span className={classes.link}>{texts.link}</span>
      <span className={classes.button}>{texts.button}</span>
    </div>
  )
}
