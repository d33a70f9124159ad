import { composerTexts, postTexts } from '@ovation/contract/texts/posts'
import { safetyTexts } from '@ovation/contract/texts/safety'
import {
  IconBan,
  IconDownload,
  IconEdit,
  IconFlag,
  IconNote,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import type { MoreAction } from '../../ui/more-menu.tsx'
import MoreMenu from '../../ui/more-menu.tsx'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import type { Post } from './queries.ts'
import { useDownload } from './use-download.ts'
import { usePin } from './use-pin.ts'

const EditPost = lazy(() => import('./edit-post.tsx'))
const DeletePost = lazy(() => import('./delete-post.tsx'))
const NoteDialog = lazy(() => import('./note-dialog.tsx'))
const ReportDialog = lazy(() => import('../reports/report-dialog.tsx'))
const BlockDialog = lazy(() => import('../blocks/block-dialog.tsx'))

export type PostMenuProps = { post: Post; own: boolean }

/**
 * A post's actions for its owner (edit, pin, delete), admins (note, download, delete), and other users (report, block) (POST-07, POST-08,
 * POST-13, POST-50, D43).
 * Mounted when it opens.
 */
export default function PostMenuOpen({ post, own }: PostMenuProps) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const pin = usePin(post)
  const download = useDownload()
  const [open, setOpen] = useState<'edit' | 'report' | 'block' | 'note' | 'delete'>()
  const close = () => setOpen(undefined)
  const name = nameOf(post.creator)

  const actions: MoreAction[] = []
  if (own)
    actions.push(
      { label: composerTexts.edit.open, icon: IconEdit, onSelect: () => setOpen('edit') },
      {
        label: post.is_pinned ? postTexts.unpin : postTexts.pin,
        icon: post.is_pinned ? IconPinnedOff : IconPin,
        onSelect: () => pin.mutate(!post.is_pinned),
      },
    )
  if (viewer?.isAdmin) {
    actions.push({ label: postTexts.note.open, icon: IconNote, onSelect: () => setOpen('note') })
    for (const [index, path] of post.media_urls.entries())
      actions.push({
        label: postTexts.downloadFile(index + 1, post.media_urls.length),
        icon: IconDownload,
        onSelect: () => download.start(path),
      })
  }
  if (!own) {
    actions.push({
      label: safetyTexts.reportNamed.post,
      icon: IconFlag,
      onSelect: () => (viewer ? setOpen('report') : askToSignIn({ kind: 'report', id: post.creator_id })),
    })
    if (viewer) actions.push({ label: safetyTexts.block(name), icon: IconBan, onSelect: () => setOpen('block') })
  }
  if (own || viewer?.isAdmin)
    actions.push({ label: postTexts.delete, icon: IconTrash, onSelect: () => setOpen('delete') })

  return (
    <>
      <MoreMenu label={postTexts.more(name)} actions={actions} />
      <Suspense>
        {open === 'edit' && <EditPost post={post} onClose={close} />}
        {open === 'report' && <ReportDialog target={{ type: 'post', id: post.id }} onClose={close} />}
        {open === 'block' && <BlockDialog person={{ profileId: post.creator_id, name }} onClose={close} />}
        {open === 'delete' && <DeletePost post={post} own={own} onClose={close} />}
        {open === 'note' && <NoteDialog post={post} onClose={close} />}
      </Suspense>
    </>
  )
}
