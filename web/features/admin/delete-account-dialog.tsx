import { Button, Group, Text, TextInput } from '@mantine/core'
import { accountAdminTexts } from '@ovation/contract/texts/broadcast'
import { commonTexts } from '@ovation/contract/texts/common'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { callFunction } from '../../lib/api/functions.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { toast } from '../../ui/toast.ts'
import { type ListedUser, usersKey } from './user-queries.ts'

const texts = accountAdminTexts.remove

/** ADM-05, ADM-19, ADM-20, API-FN-11. The button is enabled once the word is typed exactly. */
export function DeleteAccountDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const removal = useMutation({
    mutationFn: () => callFunction('delete-user-account', { userId: user.user_id }),
    onSuccess: () => {
      toast.success(texts.deleted)
      onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKey }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === texts.word) removal.mutate()
  }

  return (
    <Dialog title={texts.title} onClose={onClose} size="sm" closable={!removal.isPending}>
      <form onSubmit={submit}>
        <Text mb="md">{texts.warning(nameOf(user))}</Text>
        <TextInput
          label={texts.field}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={typed}
          readOnly={removal.isPending}
          onChange={(event) => setTyped(event.currentTarget.value)}
          mb="md"
          data-autofocus
        />
        <FormFailure title={texts.failed} message={removal.error ? errorMessageOf(removal.error) : undefined} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose} disabled={removal.isPending}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" disabled={typed !== texts.word} loading={removal.isPending}>
            {texts.action}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
