import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { commentsQuery } from './queries.ts'

type Options = {
  postId: string
  /** False for visitors, who get no live updates. */
  enabled: boolean
  /** Whether the viewer's own comment is pending: a refetch could miss it. */
  isPosting: boolean
  /** Called when the number of comments may have changed. */
  onChange: () => void
}

/** Shows new and deleted comments of others under an open post (POST-56, POST-57). */
export function useLiveComments({ postId, enabled, isPosting, onChange }: Options): void {
  const queryClient = useQueryClient()
  const [isStale, setIsStale] = useState(false)
  useLiveChange('comments', enabled ? `post_id=eq.${postId}` : null, () => setIsStale(true))
  const refresh = useEffectEvent(() => {
    setIsStale(false)
    void queryClient.invalidateQueries({ queryKey: commentsQuery(postId).queryKey })
    onChange()
  })
  useEffect(() => {
    if (isStale && !isPosting) refresh()
  }, [isStale, isPosting])
}
