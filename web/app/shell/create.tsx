import { Button, UnstyledButton } from '@mantine/core'
import { shellTexts } from '@ovation/contract/texts/common'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { vaultUploads } from '../../domain/vault-uploads/vault-uploads.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import classes from './create.module.css'

const UploadTray = lazy(() => import('../../domain/vault-uploads/upload-tray.tsx'))
const ComposerDialog = lazy(() => import('../../domain/composer/composer-dialog.tsx'))
const StoryComposer = lazy(() => import('../../domain/stories/story-composer.tsx'))

/** The button of a phone's bar, or what stands above every screen; without one, the button of wider windows. */
export type CreatePart = 'round' | 'overlays' | undefined

/**
 * A creator's primary action (LOOP-07): buttons that open the composer from every screen, and the one composer of them all. Turning a phone
 * or resizing the window replaces the bar with its button, which must not end a post in progress. Creators who wait for their approval
 * write a draft.
 */
export default function Create({ part }: { part: CreatePart }) {
  if (part === 'overlays')
    return (
      <>
        <Composer />
        <Uploads />
      </>
    )
  if (part === 'round')
    return (
      <UnstyledButton
        className={classes.round ?? ''}
        aria-label={shellTexts.create}
        title={shellTexts.create}
        onClick={() => setOpen(true)}
      >
        <IconPlus size={24} stroke={2} />
      </UnstyledButton>
    )
  return (
    <Button leftSection={<IconPlus size={18} stroke={2} />} onClick={() => setOpen(true)}>
      {shellTexts.create}
    </Button>
  )
}

let isOpen: boolean | 'story' = false
const listeners = new Set<() => void>()

function setOpen(open: boolean | 'story') {
  isOpen = open
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function Composer() {
  const viewer = useViewer()
  const open = useSyncExternalStore(listen, () => isOpen)
  // Closed for the next creator who signs in.
  useEffect(() => () => setOpen(false), [])
  return (
    open &&
    viewer && (
      <Suspense>
        {open === 'story' ? (
          <StoryComposer viewer={viewer} onClose={() => setOpen(false)} />
        ) : (
          <ComposerDialog viewer={viewer} onStory={() => setOpen('story')} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    )
  )
}

/** The uploads to the vault, which go on while their creator moves through the app (VAULT-03). */
function Uploads() {
  const files = useSyncExternalStore(vaultUploads.listen, vaultUploads.list)
  // They are their creator's: signing out ends them.
  useEffect(() => () => vaultUploads.clear(), [])
  return (
    files.length > 0 && (
      <Suspense>
        <UploadTray />
      </Suspense>
    )
  )
}
