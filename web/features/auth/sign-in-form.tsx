import { Button, Stack, TextInput } from '@mantine/core'
import { authTexts } from '@ovation/contract/texts/auth'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import type { useSignInForm } from './use-sign-in-form.ts'

export function SignInForm({ form, submit, pending, failure }: ReturnType<typeof useSignInForm>) {
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={authTexts.email}
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={authTexts.password}
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <div>
          <FormFailure title={authTexts.signInFailed} message={failure} />
          <Button type="submit" loading={pending} fullWidth size="md">
            {authTexts.tabs.signIn}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
