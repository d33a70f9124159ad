import { useQueryClient } from '@tanstack/react-query'
import { Comments } from '../comments/comments.tsx'
import { changePost, countOnPost } from './post-cache.ts'
import { readCommentsCount } from './queries.ts'

/** A post's comments. Updates the post's count as comments are added and deleted. */
export default function PostComments({ postId, creatorId }: { postId: string; creatorId: string }) {
  const queryClient = useQueryClient()
  async function count() {
    const comments_count = await readCommentsCount(postId)
    if (comments_count !== undefined) changePost(queryClient, postId, (post) => ({ ...post, comments_count }))
  }
  return (
    <Comments
      postId={postId}
      creatorId={creatorId}
      onCount={(step) => countOnPost(queryClient, postId, 'comments_count', step)}
      onRemoteChange={() => void count()}
    />
  )
}
