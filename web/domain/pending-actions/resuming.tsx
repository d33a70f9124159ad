import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { actionParameter } from '../../lib/auth/pending-action.ts'
import { useViewer } from '../../lib/auth/viewer.ts'

// The sign-in screen loads it ahead.
const ResumeAction = lazy(() => import('./resume-action.tsx'))

/** Renders nothing unless a user returns from the sign-in screen with something to continue (LOOP-04). */
export function Resuming() {
  const viewer = useViewer()
  const text = useSearchParams()[0].get(actionParameter)
  if (viewer === null || text === null) return null
  return (
    <Suspense>
      <ResumeAction key={text} viewer={viewer} text={text} />
    </Suspense>
  )
}
