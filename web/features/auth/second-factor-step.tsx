import { Button, Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import type { Session } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { isBrowsersRefusal } from '../../lib/auth/passkey-support.ts'
import { signOut } from '../../lib/auth/sign-out.ts'
import { digitsOf } from '../../ui/code-input.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthFoot } from './auth-foot.tsx'
import { AuthStep } from './auth-step.tsx'
import { CodeForm } from './code-form.tsx'

const texts = accessTexts.secondFactor

type Kind = 'totp' | 'webauthn' | 'phone' | 'recovery_code'

/** AUTH-19: after the password, the second factor. Users who lost it enter a recovery code. */
export function SecondFactorStep({ session }: { session: Session }) {
  const factors = (session.user.factors ?? []).filter(({ status }) => status === 'verified')
  const kinds = (['totp', 'webauthn', 'phone', 'recovery_code'] as const).filter((kind) =>
    factors.some(({ factor_type: type }) => type === kind),
  )
  const [chosen, setChosen] = useState<Kind>()
  const kind = chosen ?? kinds[0] ?? 'totp'
  const factorId = factors.find(({ factor_type: type }) => type === kind)?.id ?? ''
  const leave = useMutation({
    mutationFn: signOut,
    onError: (error) => toast.error(errorMessageOf(error)),
  })

  return (
    <AuthStep
      title={texts.title}
      message={messageFor(kind)}
      onBack={() => leave.mutate()}
      backLabel={texts.otherAccount}
    >
      {kind === 'totp' && <AppCode factorId={factorId} />}
      {kind === 'webauthn' && <SecurityKey factorId={factorId} />}
      {kind === 'phone' && <PhoneCode factorId={factorId} />}
      {kind === 'recovery_code' && <RecoveryCode />}
      <Stack gap={0} mt="xs">
        {kinds
          .filter((other) => other !== kind)
          .map((other) => (
            <Button key={other} variant="subtle" color="gray" onClick={() => setChosen(other)}>
              {other === 'recovery_code' ? texts.recovery.link : texts.other[other]}
            </Button>
          ))}
      </Stack>
    </AuthStep>
  )
}

function messageFor(kind: Kind): string | undefined {
  if (kind === 'webauthn') return texts.key.message
  return kind === 'phone' ? texts.phone.message : undefined
}

// The new session reruns the loader (app/routes/auth.ts), which continues.
const codeFormProps = { failed: texts.failed, submit: texts.submit, autoFocus: true }

const isSixDigits = (value: string) => digitsOf(value).length === 6

function AppCode({ factorId }: { factorId: string }) {
  return (
    <CodeForm
      {...codeFormProps}
      label={texts.code}
      wrong={texts.codeWrong}
      isCode={isSixDigits}
      verify={async (code) => (await authClient()).mfa.challengeAndVerify({ factorId, code: digitsOf(code) })}
    />
  )
}

function RecoveryCode() {
  const { label, hint, wrong, refused } = texts.recovery
  return (
    <CodeForm
      {...codeFormProps}
      label={label}
      description={hint}
      wrong={wrong}
      refused={refused}
      numeric={false}
      isCode={(value) => value.trim().length >= 10}
      verify={async (code) => (await authClient()).mfa.recoveryCodes.verify({ code: code.trim() })}
    />
  )
}

function SecurityKey({ factorId }: { factorId: string }) {
  const use = useMutation({
    mutationFn: async () => {
      const { error } = await (await authClient()).mfa.webauthn.authenticate({ factorId })
      if (error) throw error
    },
  })
  const message = use.error && (isBrowsersRefusal(use.error) ? accessTexts.passkey.canceled : errorMessageOf(use.error))
  return (
    <AuthFoot
      title={texts.failed}
      failure={message ?? undefined}
      submit={texts.key.submit}
      pending={use.isPending}
      onClick={() => use.mutate()}
    />
  )
}

/** Sends the code on request only, because each one costs money and counts toward a limit. */
function PhoneCode({ factorId }: { factorId: string }) {
  const challenge = useMutation({
    mutationFn: async () => {
      const { data, error } = await (await authClient()).mfa.challenge({ factorId, channel: 'sms' })
      if (error) throw error
      return data.id
    },
  })
  const challengeId = challenge.data
  if (challengeId)
    return (
      <CodeForm
        {...codeFormProps}
        label={texts.phone.code}
        wrong={texts.phone.codeWrong}
        isCode={isSixDigits}
        verify={async (code) => (await authClient()).mfa.verify({ factorId, challengeId, code: digitsOf(code) })}
      />
    )
  return (
    <AuthFoot
      title={texts.failed}
      failure={challenge.error ? errorMessageOf(challenge.error) : undefined}
      submit={texts.phone.send}
      pending={challenge.isPending}
      onClick={() => challenge.mutate()}
    />
  )
}
