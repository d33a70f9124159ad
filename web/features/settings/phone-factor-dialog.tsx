import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { CodeInput, digitsOf } from '../../ui/code-input.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'

const texts = settingsTexts.keys.phone

type Props = { onVerified: () => void; onClose: () => void }
type Sent = { factorId: string; challengeId: string; phone: string }

/** Enrolls a phone number (API-AUTH-19..21) and verifies the code sent to it. */
export function PhoneFactorDialog({ onVerified, onClose }: Props) {
  const send = useMutation({
    mutationFn: async (phone: string): Promise<Sent> => {
      const { mfa } = await authClient()
      const { data: factor, error } = await mfa.enroll({ factorType: 'phone', phone })
      if (error) throw error
      const challenge = await mfa.challenge({ factorId: factor.id, channel: 'sms' })
      if (!challenge.error) return { factorId: factor.id, challengeId: challenge.data.id, phone }
      await forget(factor.id)
      throw challenge.error
    },
  })
  const sent = send.data
  /** An unfinished enrollment would block enrolling the number again. */
  const leave = (next: () => void) => {
    if (sent) void forget(sent.factorId)
    next()
  }
  return (
    <Dialog title={texts.title} onClose={() => leave(onClose)}>
      {sent ? (
        <CodeForm sent={sent} onVerified={onVerified} onBack={() => leave(send.reset)} />
      ) : (
        <NumberForm onSend={send.mutateAsync} pending={send.isPending} error={send.error} />
      )}
    </Dialog>
  )
}

/** Deletes an unverified factor. If that fails, the server deletes it after five minutes. */
const forget = (factorId: string) => authClient().then(({ mfa }) => mfa.unenroll({ factorId }))

type NumberProps = { onSend: (phone: string) => Promise<unknown>; pending: boolean; error: Error | null }

function NumberForm({ onSend, pending, error }: NumberProps) {
  const form = useAppForm({
    initialValues: { phone: '' },
    validate: { phone: (value) => (/^\+[1-9]\d{6,14}$/.test(plain(value)) ? null : texts.numberWrong) },
    draft: { key: 'phone-factor' },
  })
  return (
    <form onSubmit={form.handleSubmit(({ phone }) => onSend(plain(phone)).then(form.forgetDraft))} noValidate>
      <Stack>
        <TextInput
          label={texts.number}
          description={texts.hint}
          type="tel"
          autoComplete="tel"
          data-autofocus
          {...form.getInputProps('phone')}
        />
        <div>
          <FormFailure title={texts.failed} message={error ? errorMessageOf(error) : undefined} />
          <Button type="submit" loading={pending} fullWidth>
            {texts.send}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

/** Removes the spaces, dots, dashes, and parentheses that people write. */
const plain = (phone: string): string => phone.replaceAll(/[\s().-]/g, '')

function CodeForm({ sent, onVerified, onBack }: { sent: Sent; onVerified: () => void; onBack: () => void }) {
  const form = useAppForm({
    initialValues: { code: '' },
    validate: { code: (value) => (digitsOf(value).length === 6 ? null : texts.codeWrong) },
  })
  const verify = useMutation({
    mutationFn: async (code: string) => {
      const { factorId, challengeId } = sent
      const { error } = await (await authClient()).mfa.verify({ factorId, challengeId, code: digitsOf(code) })
      if (error) throw error
    },
    onSuccess: onVerified,
    onError: () => form.selectField('code'),
  })
  return (
    <form onSubmit={form.handleSubmit(({ code }) => verify.mutateAsync(code))} noValidate>
      <Stack>
        <Text role="status">{texts.sent(sent.phone)}</Text>
        <CodeInput label={texts.code} autoFocus {...form.getInputProps('code')} />
        <div>
          <FormFailure title={texts.failed} message={verify.error ? errorMessageOf(verify.error) : undefined} />
          <Button type="submit" loading={verify.isPending} fullWidth>
            {texts.confirm}
          </Button>
        </div>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {texts.back}
        </Anchor>
      </Stack>
    </form>
  )
}
