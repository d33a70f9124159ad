import { Skeleton, Text, TextInput } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { spaceQuery, type VaultSpace } from '../../domain/vault/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { ListedUser } from './user-queries.ts'

const texts = vaultTexts.quota

/** Sets the space for a creator's files (VAULT-07). */
export default function VaultQuotaDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const space = useQuery(spaceQuery(user.id))
  return (
    <Dialog title={texts.title(nameOf(user))} onClose={onClose} size="sm">
      {space.isPending ? (
        <Skeleton height={140} />
      ) : space.isError ? (
        <LoadFailed title={texts.loadFailed} of={space} />
      ) : space.data ? (
        <QuotaForm user={user} space={space.data} onClose={onClose} />
      ) : (
        <Text>{texts.notCreator}</Text>
      )}
    </Dialog>
  )
}

const isQuota = (typed: string): boolean => /^\d{0,7}$/.test(typed.trim()) && Number(typed) <= 1_000_000

function QuotaForm({ user, space, onClose }: { user: ListedUser; space: VaultSpace; onClose: () => void }) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { quota: space.own_quota_gb === null ? '' : String(space.own_quota_gb) },
    validate: { quota: (value) => (isQuota(value) ? null : texts.invalid) },
  })
  const save = useMutation({
    mutationFn: async (typed: string) => {
      // The type of a generated function has no null, which stands for the usual quota.
      const quota = { quota_gb: typed === '' ? (null as unknown as number) : Number(typed) }
      await supabase.rpc('set_vault_quota', { profile_id: user.id, ...quota }).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.saved)
      void queryClient.invalidateQueries({ queryKey: spaceQuery(user.id).queryKey })
      onClose()
    },
  })
  return (
    <form onSubmit={form.handleSubmit(({ quota }) => save.mutateAsync(quota.trim()))} noValidate>
      <Text size="sm" c="dimmed" mb="md">
        {texts.used(formatBytes(space.used_bytes))}
      </Text>
      <TextInput
        label={texts.field}
        description={texts.hint}
        inputMode="numeric"
        maxLength={7}
        readOnly={save.isPending}
        data-autofocus
        mb="md"
        {...form.getInputProps('quota')}
      />
      <FormFoot
        submit={texts.submit}
        pending={save.isPending}
        failed={texts.failed}
        error={save.error}
        onCancel={onClose}
      />
    </form>
  )
}
