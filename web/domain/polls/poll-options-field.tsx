import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { pollOptionMaxLength, pollOptionsMax, pollOptionsMin } from '@ovation/contract/limits'
import { broadcastTexts as texts } from '@ovation/contract/texts/broadcast'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './poll-options-field.module.css'

type Props = { options: string[]; error: ReactNode; onChange: (options: string[]) => void; disabled?: boolean }

/** Two to ten answers (ADM-31..ADM-33). */
export function PollOptionsField({ options, error, onChange, disabled = false }: Props) {
  const errorId = useId()
  const replace = (index: number, option: string) => onChange(options.map((old, at) => (at === index ? option : old)))
  return (
    <fieldset className={classes.options} disabled={disabled}>
      <legend className={classes.legend}>{texts.options}</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its position; texts may repeat while typing.
        <div key={index} className={classes.option}>
          <TextInput
            aria-label={texts.option(index + 1)}
            placeholder={texts.option(index + 1)}
            maxLength={pollOptionMaxLength}
            value={option}
            onChange={(event) => replace(index, event.currentTarget.value)}
            error={Boolean(error) && isWrong(options, index)}
            // Focused when options are missing.
            {...(index === 0 && {
              'data-path': 'options',
              'aria-invalid': Boolean(error),
              'aria-describedby': errorId,
            })}
          />
          {options.length > pollOptionsMin && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={texts.removeOption(index + 1)}
              onClick={() => onChange(options.filter((_, at) => at !== index))}
            >
              <IconX size={17} stroke={1.75} aria-hidden="true" />
            </ActionIcon>
          )}
        </div>
      ))}
      {error && <Input.Error id={errorId}>{error}</Input.Error>}
      {options.length < pollOptionsMax && (
        <Button
          variant="subtle"
          size="sm"
          className={classes.add}
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => onChange([...options, ''])}
        >
          {texts.addOption}
        </Button>
      )}
    </fieldset>
  )
}

/** Whether this option is part of the error: a duplicate, or else an empty one among the required ones. */
function isWrong(options: string[], index: number): boolean {
  const texts = options.map((option) => option.trim())
  const repeats = texts.map((text, at) => text !== '' && texts.indexOf(text) < at)
  return repeats.includes(true) ? repeats[index] === true : index < pollOptionsMin && texts[index] === ''
}
