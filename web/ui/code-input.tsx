import { TextInput, type TextInputProps } from '@mantine/core'
import classes from './code-input.module.css'

/** Six digits, in one field: it can be pasted into, and phones offer the code from the message. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      spellCheck={false}
      classNames={{ input: classes.code }}
      {...props}
    />
  )
}

/** As people paste it: with a space in the middle, or at an end. */
export const digitsOf = (value: string): string => value.replaceAll(/\D/g, '')
