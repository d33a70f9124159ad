import { postTexts } from '@ovation/contract/texts/posts'
import { IconHeart } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCompact, formatCount } from '../../lib/format/format-number.ts'
import joy from '../../ui/moments.module.css'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import { useReaction } from '../reactions/use-reaction.ts'
import { PostAction } from './post-action.tsx'
import { countOnPost } from './post-cache.ts'
import type { Post } from './queries.ts'

/** The heart (POST-04, D28). */
export function LikeButton({ post }: { post: Post }) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const askToSignIn = useAskToSignIn()
  const like = useReaction({
    reaction: 'post_likes',
    viewerId: viewer?.profileId,
    postId: post.id,
    failure: postTexts.likeFailed,
    onChange: (on) => countOnPost(queryClient, post.id, 'likes_count', on ? 1 : -1),
  })
  // Only after a press: a post that was liked before stays still when it appears.
  const [pressed, setPressed] = useState(false)
  const joyful = pressed && like.on
  return (
    <PostAction
      icon={<IconHeart size={20} stroke={1.6} className={(joyful && joy.pop) || ''} aria-hidden="true" />}
      label={postTexts.like}
      count={likesOf(post)}
      aria-pressed={like.on}
      disabled={viewer === undefined || !like.known}
      onClick={() => {
        if (!viewer) return askToSignIn({ kind: 'like', id: post.id })
        setPressed(true)
        like.set(!like.on)
      }}
    />
  )
}

export const likesOf = ({ likes_count }: Post) => ({
  shown: formatCompact(likes_count),
  inWords: postTexts.likes(formatCount(likes_count), likes_count === 1),
})
