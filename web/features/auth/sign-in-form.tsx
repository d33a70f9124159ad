import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import classes from './auth-screen.module.css'
import type { useSignInForm } from './use-sign-in-form.ts'

type Props = ReturnType<typeof useSignInForm> & { onForgot: () => void }

export function SignInForm({ form, submit, pending, failure, unconfirmed, confirmAgain, onForgot }: Props) {
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
        <Anchor component="button" type="button" onClick={onForgot} className={classes.forgot}>
          {accessTexts.forgot.link}
        </Anchor>
        <div>
          <FormFailure title={authTexts.signInFailed} message={failure} />
          {unconfirmed && (
            <Button variant="light" onClick={confirmAgain} loading={pending} fullWidth mb="md">
              {accessTexts.unconfirmed.action}
            </Button>
          )}
          <Button type="submit" loading={pending} fullWidth size="md">
            {authTexts.tabs.signIn}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
