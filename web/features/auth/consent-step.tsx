import { Checkbox, Stack } from '@mantine/core'
import { accessTexts } from '@ovation/contract/texts/account-access'
import { authTexts } from '@ovation/contract/texts/auth'
import { useMutation } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { forgetReferral, rememberedReferral } from '../../lib/auth/referral.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { AuthFoot } from './auth-foot.tsx'
import { AuthStep } from './auth-step.tsx'
import { ConsentLabel } from './consent-label.tsx'

const texts = accessTexts.consent

/** For users who signed up through another service: stores their consent with its time, and the referral code (AUTH-02, AUTH-07). */
export default function ConsentStep({ onDone }: { onDone: () => void }) {
  const form = useAppForm({
    initialValues: { consent: false },
    validate: { consent: (value) => (value ? null : authTexts.errors.consentMissing) },
  })
  const save = useMutation({
    mutationFn: async () => {
      await supabase.rpc('accept_terms', { referral_code: rememberedReferral() ?? undefined }).throwOnError()
    },
    onSuccess: () => {
      forgetReferral()
      onDone()
    },
  })
  return (
    <AuthStep title={texts.title} message={texts.message}>
      <form onSubmit={form.handleSubmit(() => save.mutateAsync())} noValidate>
        <Stack>
          <Checkbox label={<ConsentLabel />} {...form.getInputProps('consent', { type: 'checkbox' })} />
          <AuthFoot failure={save.error ? texts.failed : undefined} submit={texts.submit} pending={save.isPending} />
        </Stack>
      </form>
    </AuthStep>
  )
}
