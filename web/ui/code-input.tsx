import { TextInput, type TextInputProps } from '@mantine/core'
import classes from './code-input.module.css'

/** Six digits in one field: it accepts pasted text, and phones offer the code from the message. */
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

/** Pasted codes may have a space in the middle or at an end. */
export const digitsOf = (value: string): string => value.replaceAll(/\D/g, '')
