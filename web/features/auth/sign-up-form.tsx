import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { displayNameMaxLength, passwordMaxLength, usernameMaxLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { rememberedReferral } from '../../lib/referral.ts'
import { normalizeUsername } from '../../lib/validators.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ConsentLabel } from './consent-label.tsx'
import type { useSignUpForm } from './use-sign-up-form.ts'

export function SignUpForm({ form, submit, pending, failure }: ReturnType<typeof useSignUpForm>) {
  const username = form.getInputProps('username')
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {rememberedReferral() && (
          <Text size="sm" c="dimmed">
            {authTexts.invited}
          </Text>
        )}
        <TextInput
          label={authTexts.email}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          {...form.getInputProps('email')}
        />
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
        <div>
          <FormFailure title={authTexts.signUpFailed} message={failure} />
          <Button type="submit" loading={pending} fullWidth size="md">
            {authTexts.tabs.signUp}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
