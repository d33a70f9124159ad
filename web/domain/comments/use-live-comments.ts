import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { refreshComments } from './queries.ts'

type Options = {
  postId: string
  /** False for visitors, who get no live updates. */
  enabled: boolean
  /** Whether the viewer's own comment is pending: a refetch could miss it. */
  isPosting: boolean
  /** Called when the number of comments may have changed. */
  onChange: () => void
}

/** Under a post with a storm of comments, each viewer reads them again this often at most. */
const shortestPauseMs = 3_000

/** Shows new, changed, and deleted comments of others under an open post (POST-56, POST-57, TALK-02). */
export function useLiveComments({ postId, enabled, isPosting, onChange }: Options): void {
  const queryClient = useQueryClient()
  const [isStale, setIsStale] = useState(false)
  const lastAt = useRef(0)
  useLiveChange('comments', enabled ? `post_id=eq.${postId}` : null, () => setIsStale(true))
  const refresh = useEffectEvent(() => {
    lastAt.current = Date.now()
    setIsStale(false)
    void refreshComments(queryClient, postId)
    onChange()
  })
  useEffect(() => {
    if (!isStale || isPosting) return
    const wait = lastAt.current + shortestPauseMs - Date.now()
    if (wait <= 0) return refresh()
    const timer = setTimeout(refresh, wait)
    return () => clearTimeout(timer)
  }, [isStale, isPosting])
}
