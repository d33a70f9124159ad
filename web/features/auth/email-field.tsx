import { TextInput, type TextInputProps } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'

/** The address that somebody signs in with. */
export const EmailField = (props: TextInputProps) => (
  <TextInput label={authTexts.email} type="email" name="email" autoComplete="username" inputMode="email" {...props} />
)
