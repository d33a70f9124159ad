import { PasswordInput } from '@mantine/core'
import { verificationTexts } from '@ovation/contract/texts/verification'
import { type ChangeEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { caretAfter, formatSsn } from './ssn.ts'

type Props = {
  value: string
  error?: ReactNode
  readOnly?: boolean
  onChange: (value: string) => void
  onBlur?: () => void
  'data-path'?: string
}

const { label, hint, show, hide } = verificationTexts.ssn
/** Nine digits and two dashes. */
const maxLength = 11

/** Masked until the user reveals it; accepts only digits and adds the dashes (VER-07). */
export function SsnField({ value, onChange, ...props }: Props) {
  const [visible, setVisible] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number>(null)

  // Formatting replaces the text, which would move the caret to the end.
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const type = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const typed = currentTarget.value
    caret.current = caretAfter(typed.slice(0, currentTarget.selectionStart ?? typed.length))
    onChange(formatSsn(typed))
  }

  return (
    <PasswordInput
      ref={input}
      label={label}
      description={hint}
      inputMode="numeric"
      autoComplete="off"
      maxLength={maxLength}
      placeholder="•••-••-••••"
      value={value}
      onChange={type}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': visible ? hide : show,
        'aria-hidden': undefined,
        tabIndex: 0,
      }}
      // Mantine's only changes the color.
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
