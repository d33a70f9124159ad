import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'

/** A password field whose visibility toggle works with keyboards and screen readers (AUTH-04). */
export function PasswordField(props: PasswordInputProps) {
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': visible ? authTexts.hidePassword : authTexts.showPassword,
        'aria-hidden': undefined,
        tabIndex: 0,
      }}
      // Mantine's only changes the color.
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
