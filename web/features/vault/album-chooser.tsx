import { Button, Text } from '@mantine/core'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { AlbumCover } from '../../domain/vault/album-cover.tsx'
import { albumsQuery, type VaultAlbum } from '../../domain/vault/queries.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import classes from './chooser.module.css'

const AlbumNameDialog = lazy(() => import('../../domain/vault/album-name-dialog.tsx'))
const { albums: texts } = vaultTexts

type Props = {
  creatorId: string
  /** How many files are to be added. */
  count: number
  pending: boolean
  onChoose: (album: VaultAlbum) => void
  onClose: () => void
}

/** Chooses the album for the selected files, or makes a new one for them (VAULT-04). */
export default function AlbumChooser({ creatorId, count, pending, onChoose, onClose }: Props) {
  const albums = useQuery(albumsQuery())
  const [isNaming, setNaming] = useState(false)
  const { links } = useMediaLinks(
    (albums.data ?? []).flatMap(({ cover_path }) => cover_path ?? []),
    'vault',
  )
  return (
    <Dialog title={texts.choose.title(count)} onClose={onClose} closable={!pending}>
      {albums.isPending ? (
        <ListSkeleton rows={3} shape="line" />
      ) : albums.isError ? (
        <LoadFailed title={texts.loadFailed} of={albums} />
      ) : albums.data.length === 0 ? (
        <Text c="dimmed">{texts.choose.none}</Text>
      ) : (
        <ul className={classes.choices}>
          {albums.data.map((album) => (
            <li key={album.id}>
              <button type="button" className={classes.choice} disabled={pending} onClick={() => onChoose(album)}>
                <AlbumCover album={album} link={links.get(album.cover_path ?? '')} />
                <span className={classes.words}>
                  <bdi className={classes.name}>{album.name}</bdi>{' '}
                  <span className={classes.detail}>{texts.files(album.file_count)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        mt="md"
        leftSection={<IconPlus size={18} stroke={1.75} />}
        disabled={pending}
        onClick={() => setNaming(true)}
      >
        {texts.add}
      </Button>
      {isNaming && (
        <Suspense>
          <AlbumNameDialog creatorId={creatorId} onDone={onChoose} onClose={() => setNaming(false)} />
        </Suspense>
      )}
    </Dialog>
  )
}
