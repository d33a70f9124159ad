import { Anchor, Button, Stack, Text } from '@mantine/core'
import { passwordMaxLength, passwordMinLength } from '@ovation/contract/limits'
import { settingsTexts } from '@ovation/contract/texts/settings'
import type { User } from '@supabase/auth-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { CodeInput, digitsOf } from '../../ui/code-input.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'
import { sessionsQuery } from './sign-in-queries.ts'

const texts = settingsTexts.password

/**
 * SET-08..SET-11. Requires the old password, because an open browser is not enough. A user who doesn't know it, or has none, enters a
 * code instead (API-AUTH-14), which the server requires once the sign-in is older than a day.
 */
export function PasswordForm({ user }: { user: User }) {
  const queryClient = useQueryClient()
  // Users who only signed in through another service have none.
  const hasPassword = user.identities?.some(({ provider }) => provider === 'email') ?? true
  const [byCode, setByCode] = useState(false)
  const asksCurrent = hasPassword && !byCode
  const form = useAppForm({
    initialValues: { current: '', code: '', next: '', confirm: '' },
    validate: {
      current: (value) => (value || !asksCurrent ? null : texts.currentMissing),
      code: (value) => (!byCode || digitsOf(value).length === 6 ? null : texts.codeMissing),
      next: (value) => (value.length >= passwordMinLength ? null : texts.short.message),
      confirm: (value, { next }) => (value === next ? null : texts.differ),
    },
  })
  const sendCode = useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).reauthenticate()
      if (error) throw error
    },
    onSuccess: () => setByCode(true),
    onError: (error) => toast.error(errorMessageOf(error), texts.codeFailed),
  })
  const change = useMutation({
    mutationFn: async ({ current, code, next }: typeof form.values) => {
      const { error } = await (await authClient()).updateUser({
        password: next,
        ...(asksCurrent && { current_password: current }),
        ...(byCode && { nonce: digitsOf(code) }),
      })
      if (error) throw error
    },
    onSuccess: () => {
      form.reset()
      setByCode(false)
      sendCode.reset()
      toast.success(texts.done)
      void queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    },
    onError: (error) => {
      if (codeOf(error) === 'reauthentication_needed') return sendCode.mutate()
      const refused = refusedProof(error)
      if (!refused) return
      form.showError(refused, refused === 'code' ? texts.codeWrong : texts.currentWrong)
    },
  })
  const failure = change.error && !isAboutProof(change.error) ? errorMessageOf(change.error) : undefined
  const address = user.email || `+${user.phone}`
  const toggleProof = () => {
    // A code that was sent stays valid.
    if (byCode || sendCode.isSuccess) setByCode(!byCode)
    else sendCode.mutate()
  }

  // SET-09 has a title, so a toast shows it besides the field's error.
  const submit = form.handleSubmit((values) => change.mutateAsync(values))
  return (
    <Section title={hasPassword ? texts.title : texts.setTitle} message={hasPassword ? undefined : texts.setMessage}>
      <form
        noValidate
        onSubmit={(event) => {
          const { next } = form.values
          if (next !== '' && next.length < passwordMinLength) toast.error(texts.short.message, texts.short.title)
          submit(event)
        }}
      >
        <Stack>
          <input type="email" autoComplete="username" defaultValue={user.email} hidden readOnly />
          {asksCurrent && (
            <PasswordField
              label={texts.current}
              autoComplete="current-password"
              maxLength={passwordMaxLength}
              {...form.getInputProps('current')}
            />
          )}
          {byCode && (
            <>
              <Text role="status">{texts.codeSent(address)}</Text>
              <CodeInput label={texts.code} autoFocus {...form.getInputProps('code')} />
            </>
          )}
          {hasPassword && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              className={classes.otherProof}
              disabled={sendCode.isPending}
              onClick={toggleProof}
            >
              {byCode ? texts.useCurrent : texts.useCode}
            </Anchor>
          )}
          <PasswordField
            label={texts.next}
            description={texts.hint}
            autoComplete="new-password"
            maxLength={passwordMaxLength}
            {...form.getInputProps('next')}
          />
          <PasswordField
            label={texts.confirm}
            autoComplete="new-password"
            maxLength={passwordMaxLength}
            {...form.getInputProps('confirm')}
          />
          <div>
            <FormFailure title={texts.failed} message={failure} />
            <Button type="submit" variant="default" loading={change.isPending}>
              {hasPassword ? texts.submit : texts.setSubmit}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

/** The field whose value the server rejected. */
function refusedProof(error: Error): 'current' | 'code' | undefined {
  if (codeOf(error) === 'reauthentication_not_valid') return 'code'
  return codeOf(error) === 'invalid_credentials' ? 'current' : undefined
}

const isAboutProof = (error: Error): boolean =>
  refusedProof(error) !== undefined || codeOf(error) === 'reauthentication_needed'

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined)
