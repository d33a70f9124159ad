import { operationsTexts } from '@ovation/contract/texts/operations'
import { lazy, Suspense } from 'react'
import { ListSkeleton } from '../../../ui/list-skeleton.tsx'
import { AdminPage } from '../operations/admin-page.tsx'

// Rarely opened.
const FrontPageEditor = lazy(() => import('./front-page-editor.tsx'))

/** Where admins edit the front page (FIND-06). */
export function FrontPageScreen() {
  return (
    <AdminPage title={operationsTexts.nav.frontPage}>
      <Suspense fallback={<ListSkeleton rows={4} />}>
        <FrontPageEditor />
      </Suspense>
    </AdminPage>
  )
}
