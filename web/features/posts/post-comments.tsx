import { useQueryClient } from '@tanstack/react-query'
import { Comments } from '../comments/comments.tsx'
import { countOnPost } from './post-cache.ts'

/** The comments of a post, whose count follows what the viewer says and deletes. */
export default function PostComments({ postId }: { postId: string }) {
  const queryClient = useQueryClient()
  return <Comments postId={postId} onCount={(step) => countOnPost(queryClient, postId, 'comments_count', step)} />
}
