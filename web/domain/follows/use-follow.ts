import { commonTexts } from '@ovation/contract/texts/common'
import { profileTexts } from '@ovation/contract/texts/profile'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { hasData } from '../../lib/api/has-data.ts'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { notificationsKey } from '../notifications/unread.ts'
import { feedQuery } from '../posts/queries.ts'
import { postAlertsKey } from './post-alerts.ts'
import { followsKey, followsQuery } from './queries.ts'

type Options = {
  viewerId: string | undefined
  profileId: string
  /** All users whose state is read in the same request. */
  listed: string[]
  /** Called at once when a follower is added or removed, and again with the opposite sign if the server rejects it. */
  onChange?: (change: 1 | -1) => void
  /** Doesn't refetch the feed: suggestions in an empty feed stay, so that the viewer can follow more. */
  keepsFeed?: boolean
}

/** Follows and unfollows optimistically (PROF-19, PROF-20). */
export function useFollow({ viewerId, profileId, listed, onChange, keepsFeed = false }: Options) {
  const queryClient = useQueryClient()
  const follows = useQuery({ ...followsQuery(viewerId ?? '', listed), enabled: viewerId !== undefined })

  const show = (following: boolean) => {
    queryClient.setQueriesData<string[]>({ queryKey: [...followsKey, viewerId] }, (ids) => {
      if (!ids) return ids
      const others = ids.filter((id) => id !== profileId)
      return following ? [...others, profileId] : others
    })
    onChange?.(following ? 1 : -1)
  }

  const mutation = useMutation({
    mutationFn: async (following: boolean) => {
      if (!viewerId) throw new Error(commonTexts.profileMissing)
      const follow = { follower_id: viewerId, following_id: profileId }
      const table = supabase.from('follows')
      const { error } = await (following ? table.insert(follow) : table.delete().match(follow))
      if (error && error.code !== uniqueViolation) throw error
    },
    onMutate: async (following) => {
      await queryClient.cancelQueries({ queryKey: followsKey, predicate: hasData })
      show(following)
    },
    onError: (_error, following) => {
      show(!following)
      toast.error(profileTexts.followFailed)
    },
    // The feed has other posts now, and the viewer hears of others.
    onSuccess: () => {
      void queryClient.invalidateQueries({
        queryKey: feedQuery().queryKey,
        refetchType: keepsFeed ? 'none' : 'active',
      })
      void queryClient.invalidateQueries({ queryKey: postAlertsKey })
      void queryClient.invalidateQueries({ queryKey: notificationsKey })
    },
  })

  return {
    known: viewerId === undefined || follows.isSuccess,
    /** True while the state loads. */
    asking: viewerId !== undefined && follows.isPending,
    following: follows.data?.includes(profileId) ?? false,
    set: mutation.mutate,
    pending: mutation.isPending,
  }
}
