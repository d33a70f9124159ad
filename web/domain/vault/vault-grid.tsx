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
import { isFiltered, type VaultFile, type VaultFilter, vaultQuery } from './queries.ts'
import classes from './vault-grid.module.css'

/** The link to a file; undefined while it loads, and for a file that can't be read. */
export type TileOf = (file: VaultFile, link: string | undefined) => ReactNode

type Props = {
  filter: VaultFilter
  onClear: () => void
  children: TileOf
}

/** The files of the vault that match, in one of the four states. Only the pages near the viewport have elements (VAULT-01). */
export function VaultGrid({ filter, onClear, children }: Props) {
  const files = useInfiniteQuery(vaultQuery(filter))
  return (
    <PagedList
      query={files}
      rows={files.data?.pages.flat()}
      pending={<GridSkeleton />}
      failed={{ title: texts.loadFailed }}
      empty={<NoFiles filtered={isFiltered(filter)} onClear={onClear} />}
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
                  <GridPage files={page} tileOf={children} />
                </PostWindow>
              ),
          )}
          {more}
        </>
      )}
    </PagedList>
  )
}

/** A page of files, with one request for the links of all of them. */
function GridPage({ files, tileOf }: { files: VaultFile[]; tileOf: TileOf }) {
  const { links } = useMediaLinks(
    files.map(({ path }) => path),
    'vault',
  )
  return (
    <ul className={classes.grid}>
      {files.map((file) => (
        <li key={file.id}>{tileOf(file, links.get(file.path))}</li>
      ))}
    </ul>
  )
}

function NoFiles({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState icon={<IconPhoto size={26} stroke={1.5} />} {...texts.empty} />
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
    <div className={classes.grid} role="status" aria-label={commonTexts.loading}>
      {Array.from({ length: 12 }, (_, tile) => (
        <Skeleton key={`tile-${String(tile)}`} className={classes.placeholder} radius="md" />
      ))}
    </div>
  )
}
