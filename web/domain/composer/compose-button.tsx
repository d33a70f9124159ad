import { Anchor, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { composerTexts, postTexts } from '@ovation/contract/texts/posts'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useIdle } from '../../lib/browser/use-idle.ts'
import { monetizationQuery } from '../payments/monetization.ts'
import { plansQuery } from '../subscriptions/plan-queries.ts'

const ComposerDialog = lazy(() => import('./composer-dialog.tsx'))

/** "Create Post" for approved creators; for other users, a subtle link to become a creator (HOME-03, D37). */
export function ComposeButton() {
  const viewer = useViewer()
  const [open, setOpen] = useState(false)
  const quiet = useIdle()
  const ahead = { enabled: quiet && viewer?.mayPublish === true }
  // Prefetched, so that nothing shifts when the composer opens.
  useQuery({ ...plansQuery(viewer?.profileId ?? ''), ...ahead })
  useQuery({ ...monetizationQuery(viewer?.profileId ?? ''), ...ahead })
  if (!viewer) return null
  if (!viewer.mayPublish)
    return (
      <Anchor component={Link} to={paths.creatorVerification} size="sm" className="reach">
        {postTexts.becomeCreator}
      </Anchor>
    )
  return (
    <>
      {/* Not filled: the bar or the rail has Create, which does the same (LOOP-07). */}
      <Button variant="default" leftSection={<IconPlus size={18} stroke={2} />} onClick={() => setOpen(true)}>
        {composerTexts.open}
      </Button>
      {open && (
        <Suspense>
          <ComposerDialog viewer={viewer} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
