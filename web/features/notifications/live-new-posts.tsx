import { useQuery, useQueryClient } from '@tanstack/react-query'
import { heardCreatorsQuery } from '../../domain/follows/post-alerts.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { refreshLater } from './use-live-notifications.ts'

/** The most values in one live filter. */
const filterSize = 100

/** Keeps notifications about new posts current while the app is open: the posts themselves are what the viewer follows (LOOP-02). */
export function LiveNewPosts({ viewerId }: { viewerId: string }) {
  const { data: creators = [] } = useQuery(heardCreatorsQuery(viewerId))
  const groups = Array.from({ length: Math.ceil(creators.length / filterSize) }, (_, place) =>
    creators.slice(place * filterSize, (place + 1) * filterSize),
  )
  return groups.map((ids) => <LivePosts key={ids[0]} creatorIds={ids} />)
}

/** Not updates: each like is one. */
function LivePosts({ creatorIds }: { creatorIds: string[] }) {
  const queryClient = useQueryClient()
  const filter = `creator_id=in.(${creatorIds.join(',')})`
  const refresh = () => refreshLater(queryClient)
  useLiveChange('posts', filter, refresh, 'INSERT')
  useLiveChange('posts', filter, refresh, 'DELETE')
  return null
}
