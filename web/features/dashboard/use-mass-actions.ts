import { massMessageTexts as texts } from '@ovation/contract/texts/mass-messages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { massMessagesKey } from '../../domain/mass-messages/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { toast } from '../../ui/toast.ts'

/** A creator's actions on a mass message. If it has changed in the meantime, the server rejects them, and the list shows that. */
export function useMassActions(profileId: string, id: string, onDone: () => void) {
  const queryClient = useQueryClient()
  const act = <Result>(run: () => PromiseLike<Result>, done: (result: Result) => string, failed: string) => ({
    mutationFn: async () => run(),
    onSuccess: (result: Result) => toast.success(done(result)),
    onError: (error: Error) => toast.error(errorMessageOf(error), failed),
    onSettled: () => {
      onDone()
      return queryClient.invalidateQueries({ queryKey: massMessagesKey(profileId) })
    },
  })
  const one = { mass_message_id: id }
  const unsend = useMutation(
    act(
      async () => (await supabase.rpc('unsend_mass_message', one).throwOnError()).data,
      (count) => texts.unsend.done(count, formatCount(count)),
      texts.unsend.failed,
    ),
  )
  const endNow = useMutation(
    act(
      () => supabase.rpc('set_mass_message_end', { ...one, ends_at: new Date().toISOString() }).throwOnError(),
      () => texts.end.done,
      texts.end.failed,
    ),
  )
  const toDrafts = useMutation(
    act(
      () => supabase.rpc('unschedule_mass_message', one).throwOnError(),
      () => texts.toDrafts.done,
      texts.toDrafts.failed,
    ),
  )
  const remove = useMutation(
    act(
      () => supabase.rpc('delete_mass_message', one).throwOnError(),
      () => texts.delete.done,
      texts.delete.failed,
    ),
  )
  return { unsend, endNow, toDrafts, remove }
}
