import { Button, Text } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { useMutation } from '@tanstack/react-query'
import { authClient } from '../../lib/auth/auth-client.ts'
import { digitsOf } from '../../ui/code-input.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './auth-screen.module.css'
import { AuthStep } from './auth-step.tsx'
import { CodeForm } from './code-form.tsx'
import { type MailSent, sendMail } from './mail-sent.ts'
import { signInErrorMessage } from './sign-in-error-message.ts'
import { defaultPause, pauseIn, useCooldown } from './use-cooldown.ts'

const { mail: texts } = accessTexts

type Props = { mail: MailSent; next: string | null; onBack: () => void; onConfirmed: () => void }

/** An email was sent (AUTH-16). The user follows its link, enters its code, or requests it again after a pause. */
export function MailStep({ mail, next, onBack, onConfirmed }: Props) {
  return (
    <AuthStep title={texts.title} message={texts.messages[mail.kind](mail.email)} onBack={onBack}>
      <CodeForm
        label={texts.code}
        wrong={texts.codeWrong}
        failed={texts.failed}
        submit={texts.confirm}
        isCode={(value) => /^\d{6,10}$/.test(digitsOf(value))}
        verify={async (code) =>
          (await authClient()).verifyOtp({ type: mail.kind, email: mail.email, token: digitsOf(code) })
        }
        // The new session reruns the loader (app/routes/auth.ts), which continues; after a recovery, with the new password.
        onVerified={onConfirmed}
      />
      <Resend mail={mail} next={next} />
    </AuthStep>
  )
}

function Resend({ mail, next }: { mail: MailSent; next: string | null }) {
  const cooldown = useCooldown(Math.max(0, defaultPause - (Date.now() - mail.sentAt) / 1000))
  const resend = useMutation({
    mutationFn: async () => {
      const { error } = await sendMail(mail, next)
      if (error) throw error
    },
    onSuccess: () => {
      cooldown.start(defaultPause)
    },
    onError: (error) => {
      if ('code' in error && error.code === 'over_email_send_rate_limit') cooldown.start(pauseIn(error.message))
      else toast.error(signInErrorMessage(error), texts.resendFailed)
    },
  })
  const waits = cooldown.seconds > 0
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        fullWidth
        className={classes.resend}
        mt="xs"
        onClick={() => resend.mutate()}
        loading={resend.isPending}
        disabled={waits}
      >
        {waits ? texts.resendIn(cooldown.seconds) : texts.resend}
      </Button>
      <Text size="sm" c="dimmed" ta="center" role="status">
        {resend.isSuccess && waits ? texts.resent : ''}
      </Text>
    </>
  )
}
