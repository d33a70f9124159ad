import { profileTexts } from '@ovation/contract/texts/profile'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { currentPlanQuery } from '../subscriptions/plan-queries.ts'

type Options = { viewerId: string | undefined; profileId: string; unfollow: () => void }

/** Unfollows at once, or asks first if the viewer pays the creator: their posts would be missing from the home feed (LOOP-01). */
export function useUnfollow({ viewerId, profileId, unfollow }: Options) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const check = useMutation({
    mutationFn: () => queryClient.fetchQuery(currentPlanQuery(viewerId ?? '', profileId)),
    onSuccess: (plan) => (plan ? setAsking(true) : unfollow()),
    onError: () => toast.error(profileTexts.followFailed),
  })
  return {
    ask: () => check.mutate(),
    pending: check.isPending,
    asking,
    confirm: () => {
      setAsking(false)
      unfollow()
    },
    close: () => setAsking(false),
  }
}
