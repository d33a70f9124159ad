import { adminTexts } from '@ovation/contract/texts/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { queuesKey } from './queues.ts'
import { type SupportRequest, supportKey } from './support-queries.ts'

export type SettableStatus = Exclude<SupportRequest['status'], 'open'>

/** Changes the status of a request (ADM-23..ADM-25, API-REST-35). The server sets `updated_at`. */
export function useSupportStatus(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (status: SettableStatus) => {
      await supabase
        .from('support_requests')
        .update({ status, updated_at: new Date().toISOString() })
        .eq('id', id)
        // If a policy hides the row, the update returns none; `single` turns that into an error.
        .select('id')
        .single()
        .throwOnError()
    },
    onSuccess: () => toast.success(adminTexts.support.changed),
    // Awaited: until then, the buttons show the old status.
    onSettled: () =>
      Promise.all([supportKey, queuesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  })
}
