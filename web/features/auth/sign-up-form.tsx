import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { displayNameMaxLength, passwordMaxLength, usernameMaxLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { rememberedReferral } from '../../lib/auth/referral.ts'
import { normalizeUsername } from '../../lib/forms/validators.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFoot } from './auth-foot.tsx'
import { ConsentLabel } from './consent-label.tsx'
import { EmailField } from './email-field.tsx'
import type { useSignUpForm } from './use-sign-up-form.ts'

type Props = ReturnType<typeof useSignUpForm> & {
  /** Opens the sign-in form with the same address. */
  onSignIn: (email: string) => void
}

export function SignUpForm({ form, submit, pending, failure, hasAccount, onSignIn }: Props) {
  const username = form.getInputProps('username')
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {rememberedReferral() && (
          <Text size="sm" c="dimmed">
            {authTexts.invited}
          </Text>
        )}
        <EmailField autoComplete="email" {...form.getInputProps('email')} />
        <TextInput
          label={authTexts.username.label}
          description={authTexts.username.hint}
          name="username"
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={usernameMaxLength}
          {...username}
          onChange={(event) => form.setFieldValue('username', normalizeUsername(event.currentTarget.value))}
        />
        <TextInput
          label={authTexts.displayName.label}
          description={authTexts.displayName.hint}
          name="display_name"
          autoComplete="name"
          maxLength={displayNameMaxLength}
          {...form.getInputProps('displayName')}
        />
        <PasswordField
          label={authTexts.password}
          description={authTexts.passwordHint}
          name="password"
          autoComplete="new-password"
          maxLength={passwordMaxLength}
          {...form.getInputProps('password')}
        />
        <Checkbox label={authTexts.wantsToCreate} {...form.getInputProps('wantsToCreate', { type: 'checkbox' })} />
        <Checkbox label={<ConsentLabel />} {...form.getInputProps('consent', { type: 'checkbox' })} />
        <AuthFoot title={authTexts.signUpFailed} failure={failure} submit={authTexts.tabs.signUp} pending={pending}>
          {hasAccount && (
            <Button variant="light" onClick={() => onSignIn(form.values.email)} fullWidth mb="md">
              {authTexts.signInInstead}
            </Button>
          )}
        </AuthFoot>
      </Stack>
    </form>
  )
}
