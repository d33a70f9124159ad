import { Text, TextInput } from '@mantine/core'
import { accountAdminTexts } from '@ovation/contract/texts/broadcast'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import { type ListedUser, usersKey } from './user-queries.ts'

const texts = accountAdminTexts.email
const longestAddress = 254

/** ADM-05, ADM-17, ADM-18, API-FN-10 */
export function EditEmailDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (newEmail: string) => callFunction('update-user-email', { userId: user.user_id, newEmail }),
    onSuccess: () => {
      toast.success(texts.updated)
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  })
  const form = useAppForm({
    initialValues: { email: user.email ?? '' },
    validate: { email: (value) => problemOf(value.trim(), user.email) },
  })

  return (
    <Dialog title={texts.title} onClose={onClose} size="sm" closable={!change.isPending}>
      <form onSubmit={form.handleSubmit(({ email }) => change.mutateAsync(email.trim()))} noValidate>
        <Text size="sm" c="dimmed" mb="md">
          {texts.current}: <strong>{user.email ?? texts.none}</strong>
        </Text>
        <TextInput
          type="email"
          label={texts.field}
          description={texts.hint}
          required
          autoComplete="off"
          maxLength={longestAddress}
          readOnly={change.isPending}
          data-autofocus
          {...form.getInputProps('email')}
          mb="md"
        />
        <FormFoot
          submit={texts.save}
          pending={change.isPending}
          failed={texts.failed}
          error={change.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function problemOf(email: string, current: string | null): string | null {
  if (!email) return texts.missing
  if (email.toLowerCase() === current?.toLowerCase()) return texts.same
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : texts.malformed
}
