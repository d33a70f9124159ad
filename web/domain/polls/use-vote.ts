import { pollTexts } from '@ovation/contract/texts/polls'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { toast } from '../../ui/toast.ts'
import { pollKey } from './queries.ts'

/** Casts the viewer's final vote (NOTI-18..NOTI-21, API-REST-40). The server rejects second and late votes. */
export function useVote(pollId: string) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (optionIndex: number) => {
      if (!viewer) throw new Error(pollTexts.noProfile)
      await supabase
        .from('poll_votes')
        .insert({ poll_id: pollId, user_id: viewer.profileId, option_index: optionIndex })
        .throwOnError()
    },
    onSuccess: () => toast.success(pollTexts.voted),
    onError: () => toast.error(viewer ? pollTexts.voteFailed : pollTexts.noProfile),
    // Also after an error: the poll may have ended, or another tab may have voted.
    onSettled: () => queryClient.invalidateQueries({ queryKey: pollKey(pollId) }),
  })
}
