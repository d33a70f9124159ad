import { paths } from '@ovation/contract/paths'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { handOver } from '../../domain/vault/hand-over.ts'
import type { VaultAlbum, VaultFile } from '../../domain/vault/queries.ts'
import { useAlbumActions } from '../../domain/vault/use-albums.ts'
import type { PickedFile } from '../../domain/vault/vault-picker.tsx'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { mediaLinksQuery } from '../../lib/media/media-links.ts'
import { toast } from '../../ui/toast.ts'
import { SelectionBar } from './selection-bar.tsx'

const AlbumChooser = lazy(() => import('./album-chooser.tsx'))
const ComposerDialog = lazy(() => import('../../domain/composer/composer-dialog.tsx'))
const RecipientChooser = lazy(() => import('./recipient-chooser.tsx'))
const RemovalDialog = lazy(() => import('./removal-dialog.tsx'))

type Props = {
  viewer: Viewer
  /** In the order in which they were selected. */
  files: VaultFile[]
  /** The album in view. */
  album: VaultAlbum | undefined
  onSelectAll: () => void
  onStop: () => void
}

/** The actions on selected files, and their dialogs (VAULT-04). */
export function SelectionActions({ viewer, files, album, onSelectAll, onStop }: Props) {
  const [dialog, setDialog] = useState<'album' | 'send' | 'remove'>()
  const [picked, setPicked] = useState<PickedFile[]>()
  const { add, takeOut, setCover } = useAlbumActions()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const ids = files.map(({ id }) => id)
  const pending = add.isPending || takeOut.isPending || setCover.isPending

  /** With links, which only tiles near the viewport have. Without a link, the composer shows an icon. */
  const pick = async (): Promise<PickedFile[]> => {
    const paths = files.map(({ path }) => path)
    const links = await queryClient.fetchQuery(mediaLinksQuery(paths, 'vault')).catch(() => new Map<string, string>())
    return files.map((file) => ({ file, link: links.get(file.path) }))
  }
  const close = () => setDialog(undefined)

  return (
    <>
      <SelectionBar
        count={files.length}
        album={album}
        pending={pending}
        onSelectAll={onSelectAll}
        onStop={onStop}
        onAdd={() => setDialog('album')}
        onPost={async () => {
          // The composer would find out only when the post is published.
          if (files.some(({ kind }) => kind === 'audio')) return toast.error(vaultTexts.noVoiceInPosts)
          setPicked(await pick())
        }}
        onSend={() => setDialog('send')}
        onTakeOut={() => album && takeOut.mutate({ album, ids }, { onSuccess: onStop })}
        onCover={() => album && files[0] && setCover.mutate({ album, id: files[0].id }, { onSuccess: onStop })}
        onRemove={() => setDialog('remove')}
      />
      <Suspense>
        {dialog === 'album' && (
          <AlbumChooser
            creatorId={viewer.profileId}
            count={files.length}
            pending={add.isPending}
            onChoose={(chosen) =>
              add.mutate(
                { album: chosen, ids },
                {
                  onSuccess: () => {
                    close()
                    onStop()
                  },
                },
              )
            }
            onClose={close}
          />
        )}
        {picked && (
          <ComposerDialog
            viewer={viewer}
            picked={picked}
            onClose={() => {
              setPicked(undefined)
              onStop()
            }}
          />
        )}
        {dialog === 'send' && (
          <RecipientChooser
            title={vaultTexts.sending.title(files.length)}
            onChoose={async ({ other_id, username }) => {
              handOver(other_id, await pick())
              navigate(paths.conversation(username))
            }}
            onClose={close}
          />
        )}
        {dialog === 'remove' && <RemovalDialog files={files} onRemoved={onStop} onClose={close} />}
      </Suspense>
    </>
  )
}
