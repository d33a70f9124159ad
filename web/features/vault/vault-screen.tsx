import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { vaultTexts as texts } from '@ovation/contract/texts/vault'
import { IconPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { VaultFile } from '../../domain/vault/queries.ts'
import { VaultFilters } from '../../domain/vault/vault-filters.tsx'
import { VaultGrid } from '../../domain/vault/vault-grid.tsx'
import { VaultTile } from '../../domain/vault/vault-tile.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { useVaultFilter } from './use-vault-filter.ts'

const FileSheet = lazy(() => import('./file-sheet.tsx'))

/** `/vault`: everything the creator has uploaded (VAULT-01). */
export function VaultScreen() {
  return (
    <Page title={texts.title} lead={texts.lead} width="wide">
      <ForViewer skeleton={<ListSkeleton rows={3} />}>
        {({ mayPublish }) => (mayPublish ? <Vault /> : <ForCreatorsOnly />)}
      </ForViewer>
    </Page>
  )
}

function Vault() {
  const { filter, change, clear } = useVaultFilter()
  const [open, setOpen] = useState<VaultFile>()
  return (
    <>
      <VaultFilters filter={filter} onChange={change} />
      <VaultGrid filter={filter} onClear={clear}>
        {(file, link) => <VaultTile file={file} link={link} onClick={() => setOpen(file)} />}
      </VaultGrid>
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
