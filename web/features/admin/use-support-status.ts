import { adminTexts } from '@ovation/contract/texts/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type SupportRequest, supportKey } from './support-queries.ts'

export type SettableStatus = Exclude<SupportRequest['status'], 'open'>

/** Takes a request up or settles it (ADM-23..ADM-25, API-REST-35). The server writes its own time over `updated_at`. */
export function useSupportStatus(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (status: SettableStatus) => {
      await supabase
        .from('support_requests')
        .update({ status, updated_at: new Date().toISOString() })
        .eq('id', id)
        // Rules that hide the row would answer with no row: an error here, not a silence.
        .select('id')
        .single()
        .throwOnError()
    },
    onSuccess: () => toast.success(adminTexts.support.changed),
    // Waited for: until then the buttons still speak of the old state.
    onSettled: () => queryClient.invalidateQueries({ queryKey: supportKey }),
  })
}
