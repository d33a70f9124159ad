import { TextInput, type TextInputProps } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'

/** The email address of a sign-in form. */
export const EmailField = (props: TextInputProps) => (
  <TextInput label={authTexts.email} type="email" name="email" autoComplete="username" inputMode="email" {...props} />
)
