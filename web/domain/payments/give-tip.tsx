import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import type { TipTarget } from './tip-dialog.tsx'

const TipDialog = lazy(() => import('./tip-dialog.tsx'))

/** Opens the tip dialog from `children`. Renders nothing on the viewer's own content; visitors have to sign in (GEN-40). */
export function GiveTip({ target, children }: { target: TipTarget; children: (open: () => void) => ReactNode }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const [open, setOpen] = useState(false)
  if (viewer === undefined || viewer?.profileId === target.creatorId) return null
  const ask = () =>
    askToSignIn(target.postId ? { kind: 'tip-post', id: target.postId } : { kind: 'tip', id: target.creatorId })
  return (
    <>
      {children(() => (viewer === null ? ask() : setOpen(true)))}
      {open && (
        <Suspense>
          <TipDialog target={target} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
