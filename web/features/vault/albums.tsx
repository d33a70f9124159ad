import { ActionIcon, Skeleton } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconArrowsSort, IconLibraryPhoto, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { AlbumCover } from '../../domain/vault/album-cover.tsx'
import { albumsQuery, type VaultAlbum } from '../../domain/vault/queries.ts'
import { useAlbumActions } from '../../domain/vault/use-albums.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import classes from './albums.module.css'

const AlbumNameDialog = lazy(() => import('../../domain/vault/album-name-dialog.tsx'))
const AlbumOrder = lazy(() => import('./album-order.tsx'))
const texts = vaultTexts.albums

type Props = {
  creatorId: string
  /** The id of the album in view. */
  open: string | null
  onOpen: (album: string | null) => void
}

/** The albums in one line, and what can be done with the one in view (VAULT-04). */
export function Albums({ creatorId, open, onOpen }: Props) {
  const albums = useQuery(albumsQuery())
  const [dialog, setDialog] = useState<'new' | 'rename' | 'order' | 'remove'>()
  const { remove } = useAlbumActions()
  const { links } = useMediaLinks(
    (albums.data ?? []).flatMap(({ cover_path }) => cover_path ?? []),
    'vault',
  )
  const shown = albums.data?.find(({ id }) => id === open)
  const close = () => setDialog(undefined)
  if (albums.isError && !albums.data) return <LoadFailed title={texts.loadFailed} of={albums} />
  return (
    <>
      <nav aria-label={texts.label} className={classes.strip}>
        <ul className={classes.albums}>
          <li>
            <Choice name={texts.all} isOpen={open === null} onOpen={() => onOpen(null)}>
              <span className={classes.icon} aria-hidden="true">
                <IconLibraryPhoto size={20} stroke={1.5} />
              </span>
            </Choice>
          </li>
          {albums.isPending && (
            <li>
              <Skeleton width="9rem" height="3.5rem" radius="md" />
            </li>
          )}
          {albums.data?.map((album) => (
            <li key={album.id}>
              <Choice
                name={album.name}
                detail={texts.files(album.file_count)}
                isOpen={open === album.id}
                onOpen={() => onOpen(album.id)}
              >
                <AlbumCover album={album} link={links.get(album.cover_path ?? '')} />
              </Choice>
            </li>
          ))}
          <li>
            <button type="button" className={`${classes.choice} ${classes.add}`} onClick={() => setDialog('new')}>
              <IconPlus size={18} stroke={1.75} aria-hidden="true" />
              {texts.add}
            </button>
          </li>
        </ul>
        {(albums.data?.length ?? 0) > 1 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label={texts.arrange}
            title={texts.arrange}
            onClick={() => setDialog('order')}
          >
            <IconArrowsSort size={20} stroke={1.6} />
          </ActionIcon>
        )}
      </nav>
      {shown && (
        <div className={classes.head}>
          <h2 className={classes.title} dir="auto">
            {shown.name}
          </h2>
          <span className={classes.count}>{texts.files(shown.file_count)}</span>
          <MoreButton
            label={texts.menu(shown.name)}
            pending={remove.isPending}
            actions={[
              { label: texts.name.renameTitle, icon: IconPencil, onSelect: () => setDialog('rename') },
              { label: texts.remove.action, icon: IconTrash, onSelect: () => setDialog('remove') },
            ]}
          />
        </div>
      )}
      <Suspense>
        {dialog === 'new' && <AlbumNameDialog creatorId={creatorId} onDone={({ id }) => onOpen(id)} onClose={close} />}
        {dialog === 'rename' && shown && <AlbumNameDialog creatorId={creatorId} album={shown} onClose={close} />}
        {dialog === 'order' && albums.data && <AlbumOrder albums={albums.data} onClose={close} />}
      </Suspense>
      {dialog === 'remove' && shown && (
        <ConfirmDialog
          title={texts.remove.title(shown.name)}
          message={texts.remove.message}
          confirmLabel={texts.remove.action}
          pending={remove.isPending}
          onClose={close}
          onConfirm={() =>
            remove.mutate(shown, {
              onSuccess: () => {
                close()
                onOpen(null)
              },
            })
          }
        />
      )}
    </>
  )
}

type ChoiceProps = { name: string; detail?: string; isOpen: boolean; onOpen: () => void; children: ReactNode }

function Choice({ name, detail, isOpen, onOpen, children }: ChoiceProps) {
  return (
    <button type="button" className={classes.choice} aria-current={isOpen || undefined} onClick={onOpen}>
      {children}
      <span className={classes.words}>
        <span className={classes.name} dir="auto">
          {name}
        </span>{' '}
        {detail && <span className={classes.count}>{detail}</span>}
      </span>
    </button>
  )
}

/** The album in view, once the albums have loaded. */
export function useOpenAlbum(id: string | null): VaultAlbum | undefined {
  return useQuery(albumsQuery()).data?.find((album) => album.id === id)
}
