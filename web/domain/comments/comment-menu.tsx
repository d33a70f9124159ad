import { commentTexts } from '@ovation/contract/texts/comments'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconFlag } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { MoreButton } from '../../ui/more-button.tsx'

const ReportDialog = lazy(() => import('../reports/report-dialog.tsx'))

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
          <ReportDialog target={{ type: 'comment', id }} onClose={() => setReporting(false)} />
        </Suspense>
      )}
    </>
  )
}
