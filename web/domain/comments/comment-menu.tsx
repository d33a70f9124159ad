import { commentTexts } from '@ovation/contract/texts/comments'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconFlag } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { MoreButton } from '../safety/more-button.tsx'

const Report = lazy(() => import('../safety/safety-dialogs.tsx').then((module) => ({ default: module.Report })))

/** The actions on another user's comment (D43). */
export function CommentMenu({ id, name }: { id: string; name: string }) {
  const [reporting, setReporting] = useState(false)
  return (
    <>
      <MoreButton
        label={commentTexts.more(name)}
        actions={[{ label: safetyTexts.reportNamed.comment, icon: IconFlag, onSelect: () => setReporting(true) }]}
      />
      {reporting && (
        <Suspense>
          <Report target={{ type: 'comment', id }} onClose={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  )
}
