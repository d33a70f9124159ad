import { Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { useMutation } from '@tanstack/react-query'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { AuthStep } from './auth-step.tsx'
import { EmailField } from './email-field.tsx'
import { type MailSent, sendMail } from './mail-sent.ts'

type Props = {
  kind: 'recovery' | 'email'
  /** Prefilled from the sign-in form. */
  email: string
  next: string | null
  onSent: (mail: Omit<MailSent, 'sentAt'>) => void
  onBack: () => void
}

/** Requests an email to reset the password (AUTH-20) or to sign in without one. */
export function MailForm({ kind, email, next, onSent, onBack }: Props) {
  const texts = kind === 'recovery' ? accessTexts.forgot : accessTexts.emailLink
  const form = useAppForm({ initialValues: { email }, validate: { email: emailRule } })
  const send = useMutation({
    mutationFn: async (request: Omit<MailSent, 'sentAt'>) => {
      const { error } = await sendMail(request, next)
      if (error) throw error
      return request
    },
    onSuccess: onSent,
  })
  return (
    <AuthStep title={texts.title} message={texts.message} onBack={onBack}>
      <form onSubmit={form.handleSubmit(({ email }) => send.mutateAsync({ kind, email: email.trim() }))} noValidate>
        <Stack>
          <EmailField {...form.getInputProps('email')} />
          <AuthFoot
            failure={send.error ? errorMessageOf(send.error) : undefined}
            submit={texts.submit}
            pending={send.isPending}
          />
        </Stack>
      </form>
    </AuthStep>
  )
}
