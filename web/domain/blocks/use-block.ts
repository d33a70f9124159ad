import { commonTexts } from '@ovation/contract/texts/common'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { toast } from '../../ui/toast.ts'

/** Whether the viewer has blocked this user. Users can read only their own blocks. */
export const blockQuery = (viewerId: string, profileId: string) =>
  queryOptions({
    queryKey: ['blocks', viewerId, profileId],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await supabase
        .from('blocks')
        .select('id')
        .eq('blocker_id', viewerId)
        .eq('blocked_id', profileId)
        .abortSignal(signal)
        .throwOnError()
      return data.length > 0
    },
  })

/** Whether the viewer has blocked this user: false for visitors and for the viewer's own profile. Undefined while it loads. */
export function useBlocked(profileId: string): boolean | undefined {
  const viewer = useViewer()
  const enabled = Boolean(viewer) && viewer?.profileId !== profileId
  const blocked = useQuery({ ...blockQuery(viewer?.profileId ?? '', profileId), enabled })
  return enabled && blocked.isPending ? undefined : (blocked.data ?? false)
}

/** The ids of these users whom the viewer has blocked. */
export const blockedAmongQuery = (viewerId: string, profileIds: string[]) =>
  queryOptions({
    queryKey: ['blocks', viewerId, profileIds],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('blocks')
        .select('blocked_id')
        .eq('blocker_id', viewerId)
        .in('blocked_id', profileIds)
        .abortSignal(signal)
        .throwOnError()
      return data.map((row) => row.blocked_id)
    },
  })

/** Blocks or unblocks, then refetches everything, because blocking hides content in many places (D39). */
export function useBlock(person: { profileId: string; name: string }, onDone?: () => void) {
  const viewer = useViewer()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (block: boolean) => {
      if (!viewer) throw new Error(commonTexts.profileMissing)
      const row = { blocker_id: viewer.profileId, blocked_id: person.profileId }
      const blocks = supabase.from('blocks')
      const { error } = await (block ? blocks.insert(row) : blocks.delete().match(row))
      if (error && error.code !== uniqueViolation) throw error
    },
    onSuccess: (_data, block) => {
      toast.success((block ? safetyTexts.blocked : safetyTexts.unblocked)(person.name))
      if (viewer) queryClient.setQueryData(blockQuery(viewer.profileId, person.profileId).queryKey, block)
      void queryClient.invalidateQueries()
      onDone?.()
    },
    onError: () => toast.error(safetyTexts.blockFailed),
  })
}
