import { Button, Checkbox, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { displayNameMaxLength, passwordMaxLength, usernameMaxLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { type ReactNode, useState } from 'react'
import { rememberedReferral } from '../../lib/auth/referral.ts'
import { normalizeUsername } from '../../lib/forms/validators.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFoot } from './auth-foot.tsx'
import classes from './auth-screen.module.css'
import { ConsentLabel } from './consent-label.tsx'
import { EmailField } from './email-field.tsx'
import type { useSignUpForm } from './use-sign-up-form.ts'

type SignUp = ReturnType<typeof useSignUpForm>
type Props = SignUp & {
  /** Asks for email, password, and consent; a button shows the other fields. */
  isShort: boolean
  /** Opens the sign-in form with the same address. */
  onSignIn: (email: string) => void
}

export function SignUpForm({ form, submit, pending, failure, hasAccount, isShort, onSignIn }: Props) {
  const names = <NameFields form={form} />
  const creator = (
    <Checkbox label={authTexts.wantsToCreate} {...form.getInputProps('wantsToCreate', { type: 'checkbox' })} />
  )
  return (
    // Until the app runs, the browser sends nothing: the address would have the password in it.
    <form method="dialog" onSubmit={submit} noValidate>
      <Stack>
        {rememberedReferral() && (
          <Text size="sm" c="dimmed">
            {authTexts.invited}
          </Text>
        )}
        <EmailField autoComplete="email" {...form.getInputProps('email')} />
        {!isShort && names}
        <PasswordField
          label={authTexts.password}
          description={authTexts.passwordHint}
          name="password"
          autoComplete="new-password"
          maxLength={passwordMaxLength}
          {...form.getInputProps('password')}
        />
        {!isShort && creator}
        <Checkbox label={<ConsentLabel />} {...form.getInputProps('consent', { type: 'checkbox' })} />
        {isShort && (
          <Folded form={form}>
            {names}
            {creator}
          </Folded>
        )}
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

function NameFields({ form }: Pick<SignUp, 'form'>) {
  return (
    <>
      <TextInput
        label={authTexts.username.label}
        description={authTexts.username.hint}
        name="username"
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={usernameMaxLength}
        {...form.getInputProps('username')}
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
    </>
  )
}

/** Open from the start if any of its fields has a value, for example from a draft: nothing is sent that the visitor can't see. */
function Folded({ form, children }: Pick<SignUp, 'form'> & { children: ReactNode }) {
  const { username, displayName, wantsToCreate } = form.values
  const hasValues = username !== '' || displayName !== '' || wantsToCreate
  const [isOpen, setIsOpen] = useState(hasValues)
  if (hasValues && !isOpen) setIsOpen(true)
  return (
    <>
      <UnstyledButton
        className={`reach ${classes.more}`}
        c="dimmed"
        fz="sm"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {authTexts.moreFields}
      </UnstyledButton>
      {isOpen && children}
    </>
  )
}
