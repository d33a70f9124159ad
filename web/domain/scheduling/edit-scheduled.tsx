import { Text } from '@mantine/core'
import { captionsTexts } from '@ovation/contract/texts/captions'
import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { useVideosCaptions } from '../captions/use-videos-captions.tsx'
import { EditPostText } from '../posts/edit-post-text.tsx'
import type { ScheduledPost } from './queries.ts'
import { useScheduledActions } from './use-scheduled-actions.ts'

const texts = schedulingTexts.list

/** Edits a scheduled post's text, time, and captions. Another audience, price, or files need a new post. */
export default function EditScheduled({ post, onClose }: { post: ScheduledPost; onClose: () => void }) {
  const { save } = useScheduledActions(post.id)
  // The server lists a video's captions only once its post is published.
  const captions = useVideosCaptions(post)
  return (
    <EditPostText
      heading={texts.editTitle}
      draftKey={`edit-scheduled:${post.id}`}
      post={post}
      hasFiles={post.media_types.length > 0}
      publishAt={post.publish_at}
      failed={texts.saveFailed}
      onSave={async (text, publishAt = post.publish_at) => {
        await captions.save()
        await save.mutateAsync({ ...text, publish_at: publishAt })
      }}
      onClose={onClose}
    >
      {(busy) =>
        post.media_types.includes('video') && (
          <div>
            {captions.fields(busy)}
            <Text size="sm" c="dimmed" mt="xs">
              {captionsTexts.kept}
            </Text>
          </div>
        )
      }
    </EditPostText>
  )
}
