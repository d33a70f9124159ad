import { Stack, Text } from '@mantine/core'
import { uploadTexts } from '@ovation/contract/texts/uploads'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { albumsQuery, type VaultAlbum } from '../../domain/vault/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { MoveHandle } from '../../ui/move-handle.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './albums.module.css'

const texts = vaultTexts.albums.order

/** The order of the albums: by dragging, or with the keyboard (VAULT-04). */
export default function AlbumOrder({ albums, onClose }: { albums: VaultAlbum[]; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [order, setOrder] = useState(albums)
  const [announced, setAnnounced] = useState('')
  const save = useMutation({
    mutationFn: async () => {
      await supabase.rpc('arrange_vault_albums', { album_ids: order.map(({ id }) => id) }).throwOnError()
    },
    onSuccess: () => {
      toast.success(texts.saved)
      queryClient.setQueryData(albumsQuery().queryKey, order)
      void queryClient.invalidateQueries({ queryKey: albumsQuery().queryKey })
      onClose()
    },
  })
  const move = (album: VaultAlbum, to: number) => {
    if (to < 0 || to >= order.length) return
    setOrder((current) => current.filter((other) => other !== album).toSpliced(to, 0, album))
    setAnnounced(uploadTexts.moved(album.name, to + 1, order.length))
  }
  return (
    <Dialog title={texts.title} onClose={onClose} closable={!save.isPending}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed">
            {texts.hint}
          </Text>
          <ol className={classes.order} data-move-list="">
            {order.map((album, position) => (
              <li key={album.id} className={classes.ordered}>
                <MoveHandle
                  label={uploadTexts.move(album.name, position + 1, order.length)}
                  position={position}
                  disabled={save.isPending}
                  onMove={(to) => move(album, to)}
                />
                <bdi>{album.name}</bdi>
              </li>
            ))}
          </ol>
          <p className="visually-hidden" aria-live="polite">
            {announced}
          </p>
          <FormFoot
            submit={texts.save}
            pending={save.isPending}
            failed={texts.failed}
            error={save.error}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
