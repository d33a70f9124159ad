import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'
import { useState } from 'react'

/** A password with a toggle that keyboard and screen reader reach too (AUTH-04). */
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
      // Mantine's says so in colour alone.
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  )
}
