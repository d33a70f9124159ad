import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { composerTexts } from '@ovation/contract/texts/posts'
import { IconEdit, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { usePin } from '../../domain/posts/use-pin.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { OwnPost } from './post-queries.ts'

const DeletePost = lazy(() => import('../../domain/posts/delete-post.tsx'))
const EditPost = lazy(() => import('../../domain/posts/edit-post.tsx'))

const texts = dashboardTexts.content

/** Pin, edit, and delete in the creator's own list (POST-08, POST-52, POST-53, D28). */
export function PostActions({ post, profileId }: { post: OwnPost; profileId: string }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  const pin = usePin({ id: post.id, creator_id: profileId })
  return (
    <>
      <MoreButton
        label={texts.more(post.title || post.content || texts.untitled)}
        pending={pin.isPending}
        actions={[
          {
            label: post.is_pinned ? texts.unpin : texts.pin,
            icon: post.is_pinned ? IconPinnedOff : IconPin,
            onSelect: () => pin.mutate(!post.is_pinned),
          },
          { label: composerTexts.edit.open, icon: IconEdit, onSelect: () => setOpen('edit') },
          { label: texts.delete, icon: IconTrash, onSelect: () => setOpen('delete') },
        ]}
      />
      <Suspense>
        {open === 'edit' && <EditPost post={post} onClose={close} />}
        {open === 'delete' && <DeletePost post={post} own onClose={close} />}
      </Suspense>
    </>
  )
}
