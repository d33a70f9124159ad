import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { albumsQuery, type VaultAlbum } from './queries.ts'
import { vaultKey } from './vault-key.ts'

const texts = vaultTexts.albums

type Files = { album: VaultAlbum; ids: string[] }

/** What can be done with albums (VAULT-04). One request each, however many files. */
export function useAlbumActions() {
  const queryClient = useQueryClient()
  const refresh = () => void queryClient.invalidateQueries({ queryKey: vaultKey })
  const failed = (title: string) => (error: Error) => toast.error(errorMessageOf(error), title)

  const add = useMutation({
    mutationFn: async ({ album, ids }: Files) => {
      const { data } = await supabase.rpc('add_to_vault_album', { album_id: album.id, file_ids: ids }).throwOnError()
      return data
    },
    onSuccess: (count, { album }) => {
      toast.success(texts.choose.added(count, album.name))
      refresh()
    },
    onError: failed(texts.choose.failed),
  })
  const takeOut = useMutation({
    mutationFn: async ({ album, ids }: Files) => {
      const { data } = await supabase
        .rpc('remove_from_vault_album', { album_id: album.id, file_ids: ids })
        .throwOnError()
      return data
    },
    onSuccess: (count, { album }) => {
      toast.success(texts.takeOut.done(count, album.name))
      refresh()
    },
    onError: failed(texts.takeOut.failed),
  })
  const setCover = useMutation({
    mutationFn: async ({ album, id }: { album: VaultAlbum; id: string }) => {
      await supabase.from('vault_albums').update({ cover_id: id }).eq('id', album.id).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.cover.done)
      refresh()
    },
    onError: failed(texts.cover.failed),
  })
  const remove = useMutation({
    mutationFn: async (album: VaultAlbum) => {
      await supabase.from('vault_albums').delete().eq('id', album.id).throwOnError()
    },
    onSuccess: (_none, album) => {
      toast.success(texts.remove.done)
      queryClient.setQueryData(albumsQuery().queryKey, (albums) => albums?.filter(({ id }) => id !== album.id))
      refresh()
    },
    onError: failed(texts.remove.failed),
  })
  return { add, takeOut, setCover, remove }
}
