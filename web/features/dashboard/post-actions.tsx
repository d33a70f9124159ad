import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { composerTexts } from '@ovation/contract/texts/posts'
import { IconEdit, IconPin, IconPinnedOff, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { DeletePost } from '../../domain/posts/delete-post.tsx'
import { usePin } from '../../domain/posts/use-pin.ts'
import { MoreButton } from '../../domain/safety/more-button.tsx'
import type { OwnPost } from './queries.ts'

const EditPost = lazy(() => import('../../domain/posts/edit-post.tsx'))

const texts = dashboardTexts.content

/** Pin, edit, and delete in the creator's own list (POST-08, POST-52, POST-53, D28). */
export function PostActions({ post, profileId }: { post: OwnPost; profileId: string }) {
  const [editing, setEditing] = useState(false)
  const pin = usePin({ id: post.id, creator_id: profileId })
  return (
    <>
      <DeletePost post={post} own>
        {(askToDelete) => (
          <MoreButton
            label={texts.more(post.title || post.content || texts.untitled)}
            pending={pin.isPending}
            actions={[
              {
                label: post.is_pinned ? texts.unpin : texts.pin,
                icon: post.is_pinned ? IconPinnedOff : IconPin,
                onSelect: () => pin.mutate(!post.is_pinned),
              },
              { label: composerTexts.edit.open, icon: IconEdit, onSelect: () => setEditing(true) },
              { label: texts.delete, icon: IconTrash, onSelect: askToDelete },
            ]}
          />
        )}
      </DeletePost>
      {editing && (
        <Suspense>
          <EditPost post={post} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}
