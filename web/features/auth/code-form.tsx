import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CodeInput } from '../../ui/code-input.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { sentenceOfRefusal } from './sentence-of-refusal.ts'

type Props = {
  label: string
  description?: string
  /** What is said of what can be no code. */
  wrong: string
  /** What is said above the reason when the server takes it for none. */
  failed: string
  /** The reason itself, where the general one does not fit: the newest of them is not asked for. */
  refused?: string
  submit: string
  isCode: (value: string) => boolean
  verify: (code: string) => Promise<{ error: Error | null }>
  onVerified?: () => void
  numeric?: boolean
  /** For a step that asks for nothing else: the keyboard of a phone comes with it. */
  autoFocus?: boolean
}

/** One code and its submit button. A wrong code shows an error and is selected, so that typing replaces it. */
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
    // What has been used, or is wrong, is of no use again.
    onError: () => form.askAgain('code'),
  })
  const reasonOf = (error: Error) =>
    refused && 'code' in error && error.code === 'mfa_verification_failed' ? refused : sentenceOfRefusal(error)
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
