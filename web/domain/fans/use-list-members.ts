import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { announce, toast } from '../../ui/toast.ts'
import { fansKey, listsOfFanQuery } from './list-queries.ts'

const texts = fanListTexts.dialog

type Change = { list: { id: string; name: string }; fanIds: readonly string[]; isOn: boolean }

/** Puts fans on a list, or takes them off it. A single fan's lists change at once, and back if that fails. */
export function useListMembers(viewerId: string) {
  const queryClient = useQueryClient()
  const listsOf = (fanIds: readonly string[]) => listsOfFanQuery(viewerId, fanIds[0] ?? '').queryKey
  return useMutation({
    mutationFn: async ({ list, fanIds, isOn }: Change) => {
      const change = { list_id: list.id, fan_ids: [...fanIds] }
      await supabase.rpc(isOn ? 'add_to_fan_list' : 'remove_from_fan_list', change).throwOnError()
    },
    onMutate: ({ list, fanIds, isOn }) => {
      if (fanIds.length > 1) return undefined
      void queryClient.cancelQueries({ queryKey: listsOf(fanIds) })
      const before = queryClient.getQueryData(listsOf(fanIds))
      queryClient.setQueryData(
        listsOf(fanIds),
        (lists) => lists && (isOn ? [...lists, list.id] : lists.filter((id) => id !== list.id)),
      )
      return before
    },
    onSuccess: (_nothing, { list, isOn }) => announce(isOn ? texts.added(list.name) : texts.removed(list.name)),
    onError: (error, { fanIds }, before) => {
      if (before) queryClient.setQueryData(listsOf(fanIds), before)
      toast.error(errorMessageOf(error), texts.failed)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: fansKey(viewerId) }),
  })
}
