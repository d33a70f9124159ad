import { Button, Stack } from '@mantine/core'
import { passwordMaxLength, passwordMinLength } from '@ovation/contract/limits'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { useMutation } from '@tanstack/react-query'
import { authClient } from '../../lib/auth-client.ts'
import { sentenceOf } from '../../lib/sentence-of.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthStep } from './auth-step.tsx'

const texts = accessTexts.newPassword

/** Where a recovery link ends (AUTH-20): the account is open, and gets a new password. */
export function NewPasswordForm({ email, onDone }: { email: string | undefined; onDone: () => void }) {
  const form = useAppForm({
    initialValues: { password: '', confirm: '' },
    validate: {
      password: (value) => (value.length >= passwordMinLength ? null : accessTexts.passwordShort.message),
      confirm: (value, { password }) => (value === password ? null : accessTexts.passwordsDiffer),
    },
  })
  const save = useMutation({
    mutationFn: async (password: string) => {
      const { error } = await (await authClient()).updateUser({ password })
      if (error) throw error
    },
    onSuccess: () => {
      toast.success(texts.done)
      onDone()
    },
  })
  return (
    <AuthStep title={texts.title} message={texts.message}>
      <form onSubmit={form.handleSubmit(({ password }) => save.mutateAsync(password))} noValidate>
        <Stack>
          {/* For password managers: whose password it is. */}
          <input type="email" name="email" autoComplete="username" defaultValue={email} hidden readOnly />
          <PasswordField
            label={texts.password}
            description={authTexts.passwordHint}
            name="password"
            autoComplete="new-password"
            maxLength={passwordMaxLength}
            {...form.getInputProps('password')}
          />
          <PasswordField
            label={texts.confirm}
            name="confirm"
            autoComplete="new-password"
            maxLength={passwordMaxLength}
            {...form.getInputProps('confirm')}
          />
          <div>
            <FormFailure title={texts.failed} message={save.error ? sentenceOf(save.error) : undefined} />
            <Button type="submit" loading={save.isPending} fullWidth size="md">
              {texts.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </AuthStep>
  )
}
