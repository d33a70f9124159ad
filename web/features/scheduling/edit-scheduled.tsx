import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { EditWords } from '../posts/edit-words.tsx'
import type { ScheduledPost } from './queries.ts'
import { useScheduledActions } from './use-scheduled-actions.ts'

const texts = schedulingTexts.list

/** Words and time of a post that waits. Who wants another audience, price or files schedules another post. */
export default function EditScheduled({ post, onClose }: { post: ScheduledPost; onClose: () => void }) {
  const { save } = useScheduledActions(post.id)
  return (
    <EditWords
      heading={texts.editTitle}
      draftKey={`edit-scheduled:${post.id}`}
      post={post}
      hasFiles={post.media_types.length > 0}
      publishAt={post.publish_at}
      failed={texts.saveFailed}
      onSave={(words, publishAt = post.publish_at) => save.mutateAsync({ ...words, publish_at: publishAt })}
      onClose={onClose}
    />
  )
}
