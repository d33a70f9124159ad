import { adminTexts } from '@ovation/contract/texts/admin'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { applicationsKey } from './application-queries.ts'

export type Decision = { id: string; status: 'approved' } | { id: string; status: 'rejected'; reason: string }

const texts = adminTexts.review

/** Approves or rejects an application (ADM-06, ADM-07, API-REST-32). The server applies the consequences and rejects second decisions. */
export function useReview(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (decision: Decision) => {
      await supabase
        .from('creator_applications')
        .update({
          status: decision.status,
          reviewed_at: new Date().toISOString(),
          ...(decision.status === 'rejected' && { rejection_reason: decision.reason }),
        })
        .eq('id', decision.id)
        // If a policy hides the row, the update returns none; `single` turns that into an error.
        .select('id')
        .single()
        .throwOnError()
    },
    onSuccess: (_answer, { status }) => {
      toast.success(texts[status])
      onDone()
    },
    // Also after an error: another admin may have been faster.
    onSettled: () => queryClient.invalidateQueries({ queryKey: applicationsKey }),
  })
}
