import { Button, CloseButton, NativeSelect } from '@mantine/core'
import { captionsMaxLanguages } from '@ovation/contract/limits'
import { captionsTexts as texts } from '@ovation/contract/texts/captions'
import { IconBadgeCc } from '@tabler/icons-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { languageName } from '../../lib/media/media-links.ts'
import { type Captions, guessLanguage, readCaptions } from './captions.ts'
import classes from './captions-field.module.css'
import { captionLanguages } from './languages.ts'

type Props = {
  /** The video's label. */
  video: string
  value: readonly Captions[]
  disabled: boolean
  onChange: (value: Captions[]) => void
}

const byName = captionLanguages
  .map((value) => ({ value, label: languageName(value) }))
  .sort((one, other) => one.label.localeCompare(other.label))

/** A video's captions: one WebVTT file for each language. */
export function CaptionsField({ video, value, disabled, onChange }: Props) {
  const chooser = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const problemId = useId()
  const taken = value.map(({ language }) => language)
  const others = (own: string) => byName.filter((option) => option.value === own || !taken.includes(option.value))

  const take = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? []
    currentTarget.value = '' // allows choosing the same file again after fixing it
    if (!file) return
    try {
      if (value.length >= captionsMaxLanguages) throw new Error(texts.errors.tooMany)
      const content = await readCaptions(file)
      setProblem(undefined)
      onChange([...value, { language: guessLanguage(file.name, taken), content }])
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <fieldset className={classes.field} aria-label={texts.label(video)}>
      {value.map((captions) => (
        <span key={captions.language} className={classes.one}>
          {captions.content === undefined ? (
            <span className={classes.name}>{languageName(captions.language)}</span>
          ) : (
            <NativeSelect
              size="xs"
              aria-label={texts.language}
              data={others(captions.language)}
              value={captions.language}
              disabled={disabled}
              onChange={({ currentTarget }) =>
                onChange(value.map((each) => (each === captions ? { ...each, language: currentTarget.value } : each)))
              }
            />
          )}
          <CloseButton
            size="md"
            aria-label={texts.remove(languageName(captions.language))}
            disabled={disabled}
            onClick={() => onChange(value.filter((each) => each !== captions))}
          />
        </span>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        leftSection={<IconBadgeCc size={18} stroke={1.6} aria-hidden="true" />}
        aria-label={texts.addTo(video)}
        aria-describedby={problem ? problemId : undefined}
        title={texts.hint}
        disabled={disabled}
        onClick={() => chooser.current?.click()}
      >
        {texts.add}
      </Button>
      <input ref={chooser} type="file" accept=".vtt,text/vtt" aria-label={texts.hint} hidden onChange={take} />
      {problem && (
        <p id={problemId} role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
