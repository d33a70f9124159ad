import { postTexts } from '@ovation/contract/texts/posts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { changePost } from './post-cache.ts'
import type { Post } from './queries.ts'

/** Pins or unpins one of the viewer's posts; the server accepts up to three (POST-08, D28). */
export function usePin(post: Pick<Post, 'id' | 'creator_id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (pinned: boolean) => {
      const { data } = await supabase
        .from('posts')
        .update({ is_pinned: pinned })
        .eq('id', post.id)
        .select('id')
        .throwOnError()
      if (data.length === 0) throw new Error(postTexts.pinFailed)
    },
    onSuccess: (_data, pinned) => {
      changePost(queryClient, post.id, (known) => ({ ...known, is_pinned: pinned }))
      toast.success(pinned ? postTexts.pinnedNow : postTexts.unpinnedNow)
      return Promise.all(
        [['posts', 'of', post.creator_id], ['dashboard']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      )
    },
    onError: (error) => toast.error(errorMessageOf(error), postTexts.pinFailed),
  })
}
