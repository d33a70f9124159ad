import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CodeInput } from '../../ui/code-input.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { signInErrorMessage } from './sign-in-error-message.ts'

type Props = {
  label: string
  description?: string
  /** The error for input that can't be a code. */
  wrong: string
  /** The title when the server rejects the code. */
  failed: string
  /** Replaces the server's message about a wrong code. */
  refused?: string
  submit: string
  isCode: (value: string) => boolean
  verify: (code: string) => Promise<{ error: Error | null }>
  onVerified?: () => void
  numeric?: boolean
  /** For a step with no other field: opens a phone's keyboard at once. */
  autoFocus?: boolean
}

/** A field for a code. A wrong code shows an error and is selected, so that typing replaces it. */
export function CodeForm({
  label,
  description,
  wrong,
  failed,
  refused,
  submit,
  isCode,
  verify,
  onVerified,
  numeric = true,
  autoFocus = false,
}: Props) {
  const form = useAppForm({
    initialValues: { code: '' },
    validate: { code: (value) => (isCode(value) ? null : wrong) },
  })
  const send = useMutation({
    mutationFn: async (code: string) => {
      const { error } = await verify(code)
      if (error) throw error
    },
    onSuccess: onVerified,
    // A used or wrong code is never valid later.
    onError: () => form.selectField('code'),
  })
  const reasonOf = (error: Error) =>
    refused && 'code' in error && error.code === 'mfa_verification_failed' ? refused : signInErrorMessage(error)
  const Field = numeric ? CodeInput : TextInput
  return (
    <form onSubmit={form.handleSubmit(({ code }) => send.mutateAsync(code))} noValidate>
      <Stack>
        <Field
          label={label}
          description={description}
          name="code"
          data-autofocus={autoFocus || undefined}
          autoFocus={autoFocus}
          autoCapitalize="none"
          {...form.getInputProps('code')}
        />
        <AuthFoot
          title={failed}
          failure={send.error ? reasonOf(send.error) : undefined}
          submit={submit}
          pending={send.isPending}
        />
      </Stack>
    </form>
  )
}
