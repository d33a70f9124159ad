import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { commentsQuery } from './queries.ts'

type Options = {
  postId: string
  /** Visitors read what there was when they came. */
  enabled: boolean
  /** One's own comment is on its way: in what is read now it might be missing. */
  isPosting: boolean
  /** Told when there may be more comments, or fewer. */
  onChange: () => void
}

/** What others say under an open post, and what is taken back, shows by itself (POST-56, POST-57). */
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
