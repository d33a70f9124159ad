import { postTexts } from '@ovation/contract/texts/posts'
import { IconBookmark } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import { useReaction } from '../reactions/use-reaction.ts'
import { PostAction } from './post-action.tsx'
import { savedQuery } from './queries.ts'

/** Keeps a post for later, a locked one too: it opens when the person pays (DATA-37). */
export function SaveButton({ postId }: { postId: string }) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const askToSignIn = useAskToSignIn()
  const saved = useReaction({
    reaction: 'bookmarks',
    viewerId: viewer?.profileId,
    postId,
    failure: postTexts.keepFailed,
    // A post that is let go stays on the open list, where another press brings it back; the next visit is without it.
    onChange: () => void queryClient.invalidateQueries({ ...savedQuery(viewer?.profileId ?? ''), refetchType: 'none' }),
  })
  return (
    <PostAction
      icon={<IconBookmark size={19} stroke={1.6} aria-hidden="true" />}
      label={saved.on ? postTexts.kept : postTexts.keep}
      aria-label={postTexts.keep}
      aria-pressed={saved.on}
      disabled={viewer === undefined || !saved.known}
      onClick={() => (viewer ? saved.set(!saved.on) : askToSignIn())}
    />
  )
}
