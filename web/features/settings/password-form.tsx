import { Button, Stack } from '@mantine/core'
import { passwordMaxLength, passwordMinLength } from '@ovation/contract/limits'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { type AuthError, isAuthError, type User } from '@supabase/auth-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { supabase } from '../../lib/supabase.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { sessionsQuery } from './queries.ts'
import { Section } from './section.tsx'

const texts = settingsTexts.password

/** SET-08..SET-11. The old password is asked for: an open browser is not enough. */
export function PasswordForm({ user }: { user: User }) {
  const queryClient = useQueryClient()
  // Who came through another service alone has none yet.
  const hasPassword = user.identities?.some(({ provider }) => provider === 'email') ?? true
  const form = useAppForm({
    initialValues: { current: '', next: '', confirm: '' },
    validate: {
      current: (value) => (value || !hasPassword ? null : texts.currentMissing),
      next: (value) => (value.length >= passwordMinLength ? null : texts.short.message),
      confirm: (value, { next }) => (value === next ? null : texts.differ),
    },
  })
  const change = useMutation({
    mutationFn: async ({ current, next }: typeof form.values) => {
      const { error } = await supabase.auth.updateUser({
        password: next,
        ...(hasPassword && { current_password: current }),
      })
      if (error) throw error
    },
    onSuccess: () => {
      form.reset()
      toast.success(texts.done)
      void queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    },
    onError: (error) => {
      if (!isWrongPassword(error)) return
      form.setFieldError('current', texts.currentWrong)
      form.getInputNode('current')?.focus()
    },
  })
  const failure = change.error && !isWrongPassword(change.error) ? sentenceOf(change.error) : undefined

  // SET-09 has a title: it is told beside the field's own words.
  const submit = form.handleSubmit((values) => change.mutate(values))
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
          {hasPassword && (
            <PasswordField
              label={texts.current}
              autoComplete="current-password"
              maxLength={passwordMaxLength}
              {...form.getInputProps('current')}
            />
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

const isWrongPassword = (error: Error): error is AuthError => isAuthError(error) && error.code === 'invalid_credentials'
