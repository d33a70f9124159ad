import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { vaultTexts as texts } from '@ovation/contract/texts/vault'
import { IconPhoto } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type VaultFile, vaultQuery } from '../../domain/vault/queries.ts'
import { VaultFilters } from '../../domain/vault/vault-filters.tsx'
import { VaultGrid } from '../../domain/vault/vault-grid.tsx'
import { type TilePress, VaultTile } from '../../domain/vault/vault-tile.tsx'
import { useViewer, type Viewer } from '../../lib/auth/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { Albums, useOpenAlbum } from './albums.tsx'
import { SelectionActions } from './selection-actions.tsx'
import { SelectionStart } from './selection-start.tsx'
import { Space } from './space.tsx'
import { useSelection } from './use-selection.ts'
import { useVaultFilter } from './use-vault-filter.ts'

const UploadToVault = lazy(() => import('./upload-to-vault.tsx'))
const FileSheet = lazy(() => import('./file-sheet.tsx'))

/** `/vault`: everything the creator has uploaded (VAULT-01). */
export function VaultScreen() {
  return (
    <Page title={texts.title} lead={texts.lead} actions={<UploadAction />} width="wide">
      <ForViewer skeleton={<ListSkeleton rows={3} />}>
        {(viewer) => (viewer.mayPublish ? <Vault viewer={viewer} /> : <ForCreatorsOnly />)}
      </ForViewer>
    </Page>
  )
}

function UploadAction() {
  const viewer = useViewer()
  if (!viewer?.mayPublish) return null
  return (
    <Suspense>
      <UploadToVault userId={viewer.userId} />
    </Suspense>
  )
}

function Vault({ viewer }: { viewer: Viewer }) {
  const { filter, change, clear } = useVaultFilter()
  const album = useOpenAlbum(filter.album)
  const [open, setOpen] = useState<VaultFile>()
  const rows = useInfiniteQuery(vaultQuery(filter)).data?.pages.flat() ?? []
  const selection = useSelection(rows)
  const { selected } = selection
  const stop = useEffectEvent(selection.stop)
  // Actions are about files in view.
  useEffect(() => void (filter && stop()), [filter])

  // Stable, so that pressing a tile renders that one only.
  const latest = useRef(selection)
  latest.current = selection
  const press = useCallback((file: VaultFile, _link: string | undefined, { shift, select }: TilePress) => {
    if (!latest.current.selected && !select) return setOpen(file)
    if (shift && latest.current.selected) latest.current.extend(file)
    else latest.current.toggle(file)
  }, [])

  return (
    <>
      <Space />
      <Albums creatorId={viewer.profileId} open={filter.album} onOpen={(id) => change({ album: id })} />
      <VaultFilters filter={filter} onChange={change} />
      <SelectionStart isSelecting={selected !== undefined} disabled={rows.length === 0} onStart={selection.start} />
      <VaultGrid filter={filter} onClear={clear}>
        {(file, link) => <VaultTile file={file} link={link} chosen={selected?.has(file.id)} onPress={press} />}
      </VaultGrid>
      {selected && (
        <SelectionActions
          viewer={viewer}
          files={[...selected.values()]}
          album={album}
          onSelectAll={selection.selectAll}
          onStop={selection.stop}
        />
      )}
      {open && (
        <Suspense>
          <FileSheet file={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function ForCreatorsOnly() {
  const { action, ...words } = texts.forCreatorsOnly
  return (
    <EmptyState
      icon={<IconPhoto size={26} stroke={1.5} />}
      {...words}
      action={
        <Button component={Link} to={paths.creatorVerification}>
          {action}
        </Button>
      }
    />
  )
}
