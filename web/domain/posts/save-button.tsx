import { postTexts } from '@ovation/contract/texts/posts'
import { IconBookmark } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useAskToSignIn } from '../accounts/use-ask-to-sign-in.ts'
import { useReaction } from '../reactions/use-reaction.ts'
import { PostAction } from './post-action.tsx'
import { savedQuery } from './queries.ts'

/** Saves a post, also a locked one, which opens once it is paid for (DATA-37). */
export function SaveButton({ postId }: { postId: string }) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  const askToSignIn = useAskToSignIn()
  const saved = useReaction({
    reaction: 'bookmarks',
    viewerId: viewer?.profileId,
    postId,
    failure: postTexts.keepFailed,
    // Don't refetch the saved posts: an unsaved one stays in the open list, where it can be saved again, until the next visit.
    onChange: () => void queryClient.invalidateQueries({ ...savedQuery(viewer?.profileId ?? ''), refetchType: 'none' }),
  })
  return (
    <PostAction
      icon={<IconBookmark size={19} stroke={1.6} aria-hidden="true" />}
      label={saved.on ? postTexts.kept : postTexts.keep}
      aria-label={postTexts.keep}
      aria-pressed={saved.on}
      disabled={viewer === undefined || !saved.known}
      onClick={() => (viewer ? saved.set(!saved.on) : askToSignIn({ kind: 'save', id: postId }))}
    />
  )
}
