import { Anchor } from '@mantine/core'
import { feedTexts } from '@ovation/contract/texts/feeds'
import { lazy, Suspense, useState } from 'react'
import type { Byline } from '../../lib/api/byline.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'

const PrivateFeedDialog = lazy(() => import('./private-feed-dialog.tsx'))

/** Opens the address of the viewer's private feed of a creator (RSS-02), as the menu of the creator's profile does. */
export function PrivateFeedButton({ creator }: { creator: Byline }) {
  const viewer = useViewer()
  const [open, setOpen] = useState(false)
  const name = nameOf(creator)
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        className="reach"
        aria-label={feedTexts.privateFeedOf(name)}
        onClick={() => setOpen(true)}
      >
        {feedTexts.privateFeed}
      </Anchor>
      {open && viewer && (
        <Suspense>
          <PrivateFeedDialog
            viewerId={viewer.profileId}
            creator={{ profileId: creator.id, name }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
