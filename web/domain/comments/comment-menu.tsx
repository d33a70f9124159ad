import { commentTexts } from '@ovation/contract/texts/comments'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconEye, IconEyeOff, IconFlag, IconListCheck, IconPin, IconPinnedOff, IconTrashX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import { restrict } from '../restrictions/restrict.ts'
import { pinComment } from './moderate.ts'
import type { Comment } from './queries.ts'

const ReportDialog = lazy(() => import('../reports/report-dialog.tsx'))
const ListsDialog = lazy(() => import('../fans/lists-dialog.tsx'))
const RemoveAllDialog = lazy(() => import('./remove-all-dialog.tsx'))

type Props = {
  comment: Comment
  postId: string
  viewer: Viewer
  /** Whether the viewer is the creator of the post. */
  isCreator: boolean
  /** Whether the viewer restricts the author; undefined for everyone but the creator of the post. */
  isRestricted: boolean | undefined
}

/**
 * The actions on a comment: on those of others a report (D43), and for creators their lists of fans (LIST-01), the restriction of its author
 * (LIST-05), and the deletion of all their comments (TALK-03); the creator of the post can pin one (TALK-02).
 */
export function CommentMenu({ comment, postId, viewer, isCreator, isRestricted }: Props) {
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'report' | 'lists' | 'remove'>()
  const close = () => setOpen(undefined)
  const author = { id: comment.author.id, name: nameOf(comment.author) }
  const own = author.id === viewer.profileId
  const actions: MoreAction[] = []
  if (isCreator && comment.parent_id === null && !comment.is_held)
    actions.push({
      label: comment.is_pinned ? commentTexts.unpin : commentTexts.pin,
      icon: comment.is_pinned ? IconPinnedOff : IconPin,
      onSelect: () => void pinComment(queryClient, postId, comment),
    })
  if (!own && viewer.mayPublish)
    actions.push({ label: fanListTexts.add, icon: IconListCheck, onSelect: () => setOpen('lists') })
  if (!own && isRestricted !== undefined)
    actions.push({
      label: isRestricted ? restrictionTexts.lift : restrictionTexts.restrict(author.name),
      icon: isRestricted ? IconEye : IconEyeOff,
      onSelect: () => void restrict(queryClient, author, !isRestricted),
    })
  if (!own) actions.push({ label: safetyTexts.reportNamed.comment, icon: IconFlag, onSelect: () => setOpen('report') })
  if (!own && isCreator)
    actions.push({ label: commentTexts.removeAll(author.name), icon: IconTrashX, onSelect: () => setOpen('remove') })
  return (
    <>
      <MoreButton label={commentTexts.more(author.name)} actions={actions} />
      <Suspense>
        {open === 'report' && <ReportDialog target={{ type: 'comment', id: comment.id }} onClose={close} />}
        {open === 'lists' && <ListsDialog viewerId={viewer.profileId} fans={[author]} onClose={close} />}
        {open === 'remove' && <RemoveAllDialog author={author} onClose={close} />}
      </Suspense>
    </>
  )
}
