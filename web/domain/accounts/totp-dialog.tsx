import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation, useQuery } from '@tanstack/react-query'
import { appConfig } from '../../lib/api/config.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { CodeInput, digitsOf } from '../../ui/code-input.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { useAppForm } from '../../ui/use-app-form.ts'
import { copyText } from './copy-text.ts'
import classes from './totp-dialog.module.css'

const texts = settingsTexts.twoFactor.enrol

/** Enrolls an authenticator app (API-AUTH-19..21): shows the key as a QR code and as text, and verifies the app's first code. */
export function TotpDialog({ onVerified, onClose }: { onVerified: () => void; onClose: () => void }) {
  // A query, not an effect: React may mount twice, and each enrollment creates a key.
  const enrolment = useQuery({
    queryKey: ['totp-enrolment'],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data, error } = await (await authClient()).mfa.enroll({ factorType: 'totp', issuer: appConfig().name })
      if (error) throw error
      return { factorId: data.id, ...data.totp }
    },
  })
  return (
    <Dialog title={texts.title} onClose={onClose} size="md" fullScreenOnPhone>
      {enrolment.data ? (
        <Enrol {...enrolment.data} onVerified={onVerified} />
      ) : enrolment.isError ? (
        <LoadFailed title={settingsTexts.twoFactor.failed} message={errorMessageOf(enrolment.error)} of={enrolment} />
      ) : (
        <Skeleton height={320} />
      )}
    </Dialog>
  )
}

type Props = { factorId: string; qr_code: string; secret: string; onVerified: () => void }

function Enrol({ factorId, qr_code: qrCode, secret, onVerified }: Props) {
  const form = useAppForm({
    initialValues: { code: '' },
    validate: { code: (value) => (digitsOf(value).length === 6 ? null : texts.codeWrong) },
  })
  const verify = useMutation({
    mutationFn: async (code: string) => {
      const { error } = await (await authClient()).mfa.challengeAndVerify({ factorId, code: digitsOf(code) })
      if (error) throw error
    },
    onSuccess: onVerified,
    onError: () => form.selectField('code'),
  })
  return (
    <form onSubmit={form.handleSubmit(({ code }) => verify.mutateAsync(code))} noValidate>
      <Stack>
        <div>
          <Text>{texts.scan}</Text>
          <img className={classes.qrCode} src={qrCode} alt={texts.qrCode} />
          <Text size="sm" c="dimmed" mb={4}>
            {texts.byHand}
          </Text>
          <code className={classes.secret}>{secret}</code>
          <Button variant="default" size="xs" mt="xs" onClick={() => void copyText(secret)}>
            {texts.copyKey}
          </Button>
        </div>
        {/* It may render after the dialog has focused its close button, where Enter would close it. */}
        <CodeInput label={texts.code} data-autofocus autoFocus {...form.getInputProps('code')} />
        <div>
          <FormFailure
            title={settingsTexts.twoFactor.failed}
            message={verify.error ? errorMessageOf(verify.error) : undefined}
          />
          <Button type="submit" loading={verify.isPending} fullWidth>
            {texts.confirm}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
