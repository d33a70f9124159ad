import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Story, storiesQuery, storyRingsQuery } from '../../domain/stories/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** Notes on the server and in the cache that the viewer has seen a story (STORY-02). A failure is ignored: it stays unseen. */
export function useMarkSeen({ id, creator_id, is_seen }: Story, shows: boolean): void {
  const queryClient = useQueryClient()
  const isNew = shows && !is_seen
  useEffect(() => {
    if (!isNew) return
    void supabase.rpc('record_story_view', { story_id: id }).then(({ error }) => {
      if (error) return
      queryClient.setQueryData(storiesQuery(creator_id).queryKey, (stories) =>
        stories?.map((story) => (story.id === id ? { ...story, is_seen: true } : story)),
      )
      queryClient.setQueryData(storyRingsQuery().queryKey, (rings) =>
        rings?.map((ring) =>
          ring.creator_id === creator_id ? { ...ring, unseen: Math.max(0, ring.unseen - 1) } : ring,
        ),
      )
    })
  }, [isNew, id, creator_id, queryClient])
}
