import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { settingsTexts } from '@ovation/contract/texts/settings'
import type { User } from '@supabase/auth-js'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { emailRule } from '../../domain/accounts/email-rule.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.email
const emailRedirectTo = () => window.location.origin + paths.settings

/** If the server sends emails, both addresses have to confirm a change (API-AUTH-13). */
export function EmailForm({ user }: { user: User }) {
  const { email, new_email: newEmail } = user
  const form = useAppForm({
    initialValues: { email: '' },
    validate: {
      email: (value) => (value.trim().toLowerCase() === email ? texts.same : emailRule(value)),
    },
    draft: { key: `settings-email:${user.id}` },
  })
  const change = useMutation({
    mutationFn: async (next: string) => {
      const auth = await authClient()
      const { data, error } = await auth.updateUser({ email: next }, { emailRedirectTo: emailRedirectTo() })
      if (error) throw error
      return data.user
    },
    onSuccess: (changed, next) => {
      form.forgetDraft()
      form.reset()
      // Without email, there is no confirmation (D19).
      if (changed.email === next) toast.success(texts.changed)
    },
  })

  return (
    <Section title={texts.title} message={email ? texts.current(email) : texts.none}>
      {email && newEmail && <Pending email={email} newEmail={newEmail} />}
      <form onSubmit={form.handleSubmit((values) => change.mutateAsync(values.email.trim().toLowerCase()))} noValidate>
        <Stack>
          <TextInput
            label={texts.label}
            type="email"
            autoComplete="email"
            inputMode="email"
            {...form.getInputProps('email')}
          />
          <div>
            <FormFailure title={texts.failed} message={change.error ? errorMessageOf(change.error) : undefined} />
            <Button type="submit" variant="default" loading={change.isPending}>
              {texts.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

function Pending({ email, newEmail }: { email: string; newEmail: string }) {
  const resend = useMutation({
    mutationFn: async () => {
      const options = { emailRedirectTo: emailRedirectTo() }
      const { error } = await (await authClient()).resend({ type: 'email_change', email: newEmail, options })
      if (error) throw error
    },
    onError: (error) => toast.error(errorMessageOf(error)),
  })
  return (
    <Alert
      role="status"
      variant="light"
      color="yellow"
      className={classes.body}
      title={texts.pendingTitle}
      icon={<IconMailForward size={20} stroke={1.75} />}
    >
      {texts.pending(email, newEmail)}
      <div>
        <Button variant="default" size="xs" mt="sm" onClick={() => resend.mutate()} loading={resend.isPending}>
          {texts.resend}
        </Button>
        <Text size="sm" mt="xs" role="status">
          {resend.isSuccess && texts.resent}
        </Text>
      </div>
    </Alert>
  )
}
