import { schedulingTexts } from '@ovation/contract/texts/scheduling'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { scheduledPostsKey } from './queries.ts'

const texts = schedulingTexts.list

type Changes = { title: string | null; content: string; publish_at: string }

/** A creator's actions on a scheduled post. If it was published in the meantime, the server rejects them, and the list shows that. */
export function useScheduledActions(id: string, onDone: () => void = () => undefined) {
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      [scheduledPostsKey, ['posts'], ['profile'], ['dashboard']].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  const succeed = (message: string) => () => {
    toast.success(message)
    onDone()
  }
  const fail = (title: string) => (error: Error) => toast.error(errorMessageOf(error), title)

  const publish = useMutation({
    mutationFn: async () => {
      await supabase.rpc('publish_scheduled_post', { scheduled_id: id }).throwOnError()
    },
    onSuccess: succeed(texts.published),
    onError: fail(texts.publishFailed),
    onSettled: refresh,
  })
  const save = useMutation({
    mutationFn: async (changes: Changes) => {
      const { data } = await supabase.from('scheduled_posts').update(changes).eq('id', id).select('id').throwOnError()
      if (data.length === 0) throw new Error(texts.gone)
    },
    // The form shows errors itself.
    onSuccess: succeed(texts.saved),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('scheduled_posts').delete().eq('id', id).throwOnError()
    },
    onSuccess: succeed(texts.deleted),
    onError: fail(texts.deleteFailed),
    onSettled: refresh,
  })
  return { publish, save, remove }
}
