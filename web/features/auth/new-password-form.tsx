import { Stack } from '@mantine/core'
import { passwordMaxLength, passwordMinLength } from '@ovation/contract/limits'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { useMutation } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { AuthStep } from './auth-step.tsx'

const texts = accessTexts.newPassword

/** After a recovery link (AUTH-20): the user is signed in and sets a new password. */
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
      toast.leaving(texts.done)
      onDone()
    },
  })
  return (
    <AuthStep title={texts.title} message={texts.message}>
      <form onSubmit={form.handleSubmit(({ password }) => save.mutateAsync(password))} noValidate>
        <Stack>
          {/* Tells password managers which account it is for. */}
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
          <AuthFoot
            title={texts.failed}
            failure={save.error ? errorMessageOf(save.error) : undefined}
            submit={texts.submit}
            pending={save.isPending}
          />
        </Stack>
      </form>
    </AuthStep>
  )
}
