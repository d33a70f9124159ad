import { TextInput } from '@mantine/core'
import { vaultAlbumNameMaxLength } from '@ovation/contract/limits'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { toast } from '../../ui/toast.ts'
import { useAppForm } from '../../ui/use-app-form.ts'
import type { VaultAlbum } from './queries.ts'
import { vaultKey } from './vault-key.ts'

const texts = vaultTexts.albums.name

type Props = {
  creatorId: string
  /** The album to rename; without it, a new one is created. */
  album?: VaultAlbum | undefined
  onDone?: (album: VaultAlbum) => void
  onClose: () => void
}

/** Names a new album, or renames one (VAULT-04). */
export default function AlbumNameDialog({ creatorId, album, onDone, onClose }: Props) {
  const queryClient = useQueryClient()
  const form = useAppForm({
    initialValues: { name: album?.name ?? '' },
    validate: {
      name: (value) => {
        if (!value.trim()) return texts.missing
        return value.trim().length > vaultAlbumNameMaxLength ? texts.long : null
      },
    },
  })
  const save = useMutation({
    mutationFn: async (name: string): Promise<VaultAlbum> => {
      const albums = supabase.from('vault_albums')
      const { data } = await (album
        ? albums.update({ name }).eq('id', album.id)
        : albums.insert({ creator_id: creatorId, name })
      )
        .select('id')
        .single()
        .throwOnError()
      const blank = { file_count: 0, cover_id: null, cover_path: null, cover_kind: null, cover_preview: null }
      return { ...blank, ...album, id: data.id, name }
    },
    onSuccess: (saved) => {
      toast.success(album ? texts.renamed : texts.created)
      void queryClient.invalidateQueries({ queryKey: vaultKey })
      onDone?.(saved)
      onClose()
    },
    onError: (error) => {
      if ('code' in error && error.code === uniqueViolation) form.showError('name', texts.taken)
    },
  })
  const taken = save.error && 'code' in save.error && save.error.code === uniqueViolation
  return (
    <Dialog title={album ? texts.renameTitle : vaultTexts.albums.add} onClose={onClose} closable={!save.isPending}>
      <form onSubmit={form.handleSubmit(({ name }) => save.mutateAsync(name.trim()))} noValidate>
        <TextInput
          label={texts.label}
          maxLength={vaultAlbumNameMaxLength}
          readOnly={save.isPending}
          dir="auto"
          mb="md"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <FormFoot
          submit={album ? texts.rename : texts.create}
          pending={save.isPending}
          failed={texts.failed}
          error={taken ? null : save.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
