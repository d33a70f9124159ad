import { commentTexts } from '@ovation/contract/texts/comments'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconEye, IconEyeOff, IconFlag, IconListCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import { restrict } from '../restrictions/restrict.ts'

const ReportDialog = lazy(() => import('../reports/report-dialog.tsx'))
const ListsDialog = lazy(() => import('../fans/lists-dialog.tsx'))

type Props = {
  id: string
  author: { id: string; name: string }
  viewer: Viewer
  /** Whether the viewer restricts the author; undefined for everyone but the creator of the post. */
  isRestricted: boolean | undefined
}

/** The actions on another user's comment (D43), with a creator's lists for its author (LIST-01), and their restriction (LIST-05). */
export function CommentMenu({ id, author, viewer, isRestricted }: Props) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'report' | 'lists'>()
  const close = () => setOpen(undefined)
  const actions: MoreAction[] = []
  if (viewer.mayPublish)
    actions.push({ label: fanListTexts.add, icon: IconListCheck, onSelect: () => setOpen('lists') })
  if (isRestricted !== undefined)
    actions.push({
      label: isRestricted ? restrictionTexts.lift : restrictionTexts.restrict(author.name),
      icon: isRestricted ? IconEye : IconEyeOff,
      onSelect: () => void restrict(queryClient, author, !isRestricted),
    })
  actions.push({ label: safetyTexts.reportNamed.comment, icon: IconFlag, onSelect: () => setOpen('report') })
  return (
    <>
      <MoreButton label={commentTexts.more(author.name)} actions={actions} />
      <Suspense>
        {open === 'report' && <ReportDialog target={{ type: 'comment', id }} onClose={close} />}
        {open === 'lists' && <ListsDialog viewerId={viewer.profileId} fans={[author]} onClose={close} />}
      </Suspense>
    </>
  )
}
