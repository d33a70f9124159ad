import { Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { useMutation } from '@tanstack/react-query'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { AuthStep } from './auth-step.tsx'
import { EmailField } from './email-field.tsx'
import { authAddress } from './mail-sent.ts'

const texts = accessTexts.sso

/** Single sign-on. The address's domain decides the provider (API-AUTH-15). */
export function SsoForm({ email, next, onBack }: { email: string; next: string | null; onBack: () => void }) {
  const form = useAppForm({ initialValues: { email }, validate: { email: emailRule } })
  const leave = useMutation({
    mutationFn: async (address: string) => {
      const { error } = await (await authClient()).signInWithSSO({
        domain: address.trim().split('@').at(-1)?.toLowerCase() ?? '',
        options: { redirectTo: authAddress({ next, tab: 'welcome' }) },
      })
      if (error) throw error
    },
  })
  return (
    <AuthStep title={texts.title} message={texts.message} onBack={onBack}>
      <form onSubmit={form.handleSubmit(({ email }) => leave.mutateAsync(email))} noValidate>
        <Stack>
          <EmailField label={texts.email} {...form.getInputProps('email')} />
          <AuthFoot
            title={texts.failed}
            failure={leave.error ? errorMessageOf(leave.error) : undefined}
            submit={texts.submit}
            pending={leave.isPending}
          />
        </Stack>
      </form>
    </AuthStep>
  )
}
