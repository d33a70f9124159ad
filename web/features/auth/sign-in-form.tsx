import { Anchor, Button, Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFoot } from './auth-foot.tsx'
import classes from './auth-screen.module.css'
import { EmailField } from './email-field.tsx'
import type { useSignInForm } from './use-sign-in-form.ts'

type Props = ReturnType<typeof useSignInForm> & { onForgot: () => void }

export function SignInForm({ form, submit, pending, failure, unconfirmed, confirmAgain, onForgot }: Props) {
  return (
    // Until the app runs, the browser sends nothing: the address would have the password in it.
    <form method="dialog" onSubmit={submit} noValidate>
      <Stack>
        <EmailField {...form.getInputProps('email')} />
        <PasswordField
          label={authTexts.password}
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Anchor component="button" type="button" onClick={onForgot} className={classes.forgot}>
          {accessTexts.forgot.link}
        </Anchor>
        <AuthFoot title={authTexts.signInFailed} failure={failure} submit={authTexts.tabs.signIn} pending={pending}>
          {unconfirmed && (
            <Button variant="light" onClick={confirmAgain} loading={pending} fullWidth mb="md">
              {accessTexts.unconfirmed.action}
            </Button>
          )}
        </AuthFoot>
      </Stack>
    </form>
  )
}
