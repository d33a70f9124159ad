import { Button, Skeleton } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import { vaultTexts as texts } from '@ovation/contract/texts/vault'
import { IconPhoto, IconSearchOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { PostWindow } from '../posts/post-window.tsx'
import { isFiltered, type ReceivedFile, type VaultFile, type VaultFilter, vaultQuery } from './queries.ts'
import { ReceivedFailure, useReceived } from './received.tsx'
import classes from './vault-grid.module.css'

/** With the link to the file, undefined while it loads and for a file that can't be read; and how the fan already got it. */
export type TileOf = (file: VaultFile, link: string | undefined, received: ReceivedFile | undefined) => ReactNode

type Props = {
  filter: VaultFilter
  onClear: () => void
  /** The fan for whom files are chosen. */
  fanId?: string | undefined
  children: TileOf
}

/** The files of the vault that match, in one of the four states. Only the pages near the viewport have elements (VAULT-01). */
export function VaultGrid({ filter, onClear, fanId, children }: Props) {
  const files = useInfiniteQuery(vaultQuery(filter))
  return (
    <PagedList
      query={files}
      rows={files.data?.pages.flat()}
      pending={<GridSkeleton />}
      failed={{ title: texts.loadFailed }}
      empty={<NoFiles filtered={isFiltered(filter)} inAlbum={filter.album !== null} onClear={onClear} />}
      moreFailed={texts.loadMoreFailed}
    >
      {(_rows, more) => (
        <>
          {files.data?.pages.map(
            (page, index) =>
              page[0] && (
                <PostWindow
                  of="page"
                  key={page[0].id}
                  id={`vault ${page[0].id} ${page.length}`}
                  first={index === 0}
                  className={classes.page}
                >
                  <GridPage files={page} fanId={fanId} tileOf={children} />
                </PostWindow>
              ),
          )}
          {more}
        </>
      )}
    </PagedList>
  )
}

type GridPageProps = { files: VaultFile[]; fanId: string | undefined; tileOf: TileOf }

/** A page of files, with one request for the links of all of them, and one for what the fan has of them. */
function GridPage({ files, fanId, tileOf }: GridPageProps) {
  const { links } = useMediaLinks(
    files.map(({ path }) => path),
    'vault',
  )
  const received = useReceived(
    fanId,
    files.map(({ id }) => id),
  )
  return (
    <>
      <ReceivedFailure query={received} />
      <ul className={classes.grid}>
        {files.map((file) => (
          <li key={file.id}>{tileOf(file, links.get(file.path), received.data?.get(file.id))}</li>
        ))}
      </ul>
    </>
  )
}

type NoFilesProps = { filtered: boolean; inAlbum: boolean; onClear: () => void }

function NoFiles({ filtered, inAlbum, onClear }: NoFilesProps) {
  const words = inAlbum ? texts.albums.empty : texts.empty
  if (!filtered) return <EmptyState icon={<IconPhoto size={26} stroke={1.5} />} {...words} />
  return (
    <EmptyState
      icon={<IconSearchOff size={26} stroke={1.5} />}
      {...texts.noneFound}
      action={
        <Button variant="default" onClick={onClear}>
          {texts.clear}
        </Button>
      }
    />
  )
}

function GridSkeleton() {
  return (
    <div className={classes.page}>
      <div className={classes.grid} role="status" aria-label={commonTexts.loading}>
        {Array.from({ length: 12 }, (_, tile) => (
          <Skeleton key={`tile-${String(tile)}`} className={classes.placeholder} radius="md" />
        ))}
      </div>
    </div>
  )
}
