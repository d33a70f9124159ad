import { lazy, Suspense } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'

// Most viewers are fans.
const CreateButton = lazy(() => import('./create-button.tsx'))

/** Create, for creators only (LOOP-07). */
export function LazyCreateButton({ onPhone }: { onPhone?: boolean }) {
  const viewer = useViewer()
  if (!viewer?.isCreator && !viewer?.mayPublish) return null
  return (
    <Suspense>
      <CreateButton onPhone={onPhone} />
    </Suspense>
  )
}
