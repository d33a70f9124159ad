import { useViewer } from '../../lib/auth/viewer.ts'
import PollWidget, { VisitorPoll } from '../polls/poll-widget.tsx'
import type { PostPoll as Poll } from '../polls/queries.ts'

/** A post's poll (NOTI-16..NOTI-21). */
export default function PostPoll({ poll, postId }: { poll: Poll; postId: string }) {
  const viewer = useViewer()
  if (viewer === undefined) return null
  return viewer ? <PollWidget pollId={poll.id} /> : <VisitorPoll poll={poll} postId={postId} />
}
