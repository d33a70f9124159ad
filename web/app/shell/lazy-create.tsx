import { lazy, Suspense } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import type { CreatePart } from './create.tsx'

// Most viewers are fans.
const Create = lazy(() => import('./create.tsx'))

/** Create, for creators only (LOOP-07). */
export function LazyCreate({ part }: { part?: CreatePart }) {
  const viewer = useViewer()
  if (!viewer?.isCreator && !viewer?.mayPublish) return null
  return (
    <Suspense>
      <Create part={part} />
    </Suspense>
  )
}
