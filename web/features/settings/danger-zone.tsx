import { Button, Group, Stack, Text } from '@mantine/core'
import { passwordMaxLength } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { authTexts } from '@ovation/contract/texts/auth'
import { commonTexts } from '@ovation/contract/texts/common'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { callFunction } from '../../lib/api/functions.ts'
import { authClient } from '../../lib/auth/auth-client.ts'
import { forgetLocalData } from '../../lib/auth/local-data.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { destructive } from '../../ui/destructive.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.danger

/** SET-13, SET-14: a confirmation, then the password, then the deletion. */
export function DangerZone() {
  const [step, setStep] = useState<'none' | 'confirm' | 'password'>('none')
  return (
    <Section title={texts.title} message={texts.message} danger>
      <div className={classes.body}>
        <Button {...destructive} onClick={() => setStep('confirm')}>
          {texts.submit}
        </Button>
      </div>
      {step === 'confirm' && (
        <ConfirmDialog
          title={texts.confirmDialog.title}
          message={texts.confirmDialog.message}
          confirmLabel={texts.confirmDialog.confirm}
          onConfirm={() => setStep('password')}
          onClose={() => setStep('none')}
        />
      )}
      {step === 'password' && <PasswordDialog onClose={() => setStep('none')} />}
    </Section>
  )
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const form = useAppForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value ? null : authTexts.errors.passwordMissing) },
  })
  const remove = useMutation({
    mutationFn: ({ password }: typeof form.values) => callFunction('delete-own-account', { password }),
    onSuccess: async () => {
      // The server has no session to end anymore; the client only forgets its own.
      await (await authClient()).signOut({ scope: 'local' })
      forgetLocalData()
      toast.leaving(texts.done)
      void navigate(paths.auth, { replace: true })
    },
    onError: () => form.selectField('password'),
  })
  return (
    <Dialog title={texts.passwordDialog.title} onClose={onClose} size="sm" closable={!remove.isPending}>
      <form onSubmit={form.handleSubmit((values) => remove.mutateAsync(values))} noValidate>
        <Stack>
          <Text>{texts.passwordDialog.message}</Text>
          <PasswordField
            label={texts.passwordDialog.password}
            autoComplete="current-password"
            maxLength={passwordMaxLength}
            data-autofocus
            {...form.getInputProps('password')}
          />
          <FormFailure title={texts.failed} message={remove.error?.message} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={remove.isPending}>
              {commonTexts.cancel}
            </Button>
            <Button {...destructive} type="submit" loading={remove.isPending}>
              {texts.passwordDialog.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
