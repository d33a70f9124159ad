import { commonTexts } from '@ovation/contract/texts/common'
import { MutationObserver, useQueryClient } from '@tanstack/react-query'
import { use } from 'react'
import { hasData } from '../../lib/api/has-data.ts'
import { uniqueViolation } from '../../lib/api/sqlstate.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { type Reaction, reactionsKey, reactionsQuery } from './queries.ts'
import { ReactionsContext } from './reactions.tsx'

type Options = {
  reaction: Reaction
  viewerId: string | undefined
  postId: string
  /** Shown when the server rejects it. */
  failure: string
  /** Called at once, and again with the opposite when the server rejects it. */
  onChange: (on: boolean) => void
}

/** A reaction that is on or off, changed optimistically. Needs `Reactions` around it. */
export function useReaction({ reaction, viewerId, postId, failure, onChange }: Options) {
  const queryClient = useQueryClient()
  const { postIds, [reaction]: reacted } = use(ReactionsContext)

  const show = (on: boolean) => {
    const { queryKey } = reactionsQuery(reaction, viewerId ?? '', postIds)
    // After two quick clicks, the first may fail once the second is shown: then there is nothing to undo.
    if (queryClient.getQueryData(queryKey)?.includes(postId) === on) return
    queryClient.setQueriesData<string[]>({ queryKey: [...reactionsKey, reaction, viewerId] }, (ids) => {
      if (!ids) return ids
      const others = ids.filter((id) => id !== postId)
      return on ? [...others, postId] : others
    })
    onChange(on)
  }

  const set = (on: boolean) => {
    // Created on click, because few of a list's many buttons are ever used.
    const change = new MutationObserver(queryClient, {
      // In order, so that the last click decides.
      scope: { id: `${reaction} ${postId}` },
      mutationFn: async (on: boolean) => {
        if (!viewerId) throw new Error(commonTexts.profileMissing)
        const row = { post_id: postId, user_id: viewerId }
        const table = supabase.from(reaction)
        const { error } = await (on ? table.insert(row) : table.delete().match(row))
        if (error && error.code !== uniqueViolation) throw error
      },
      onMutate: async (on) => {
        show(on)
        await queryClient.cancelQueries({ queryKey: [...reactionsKey, reaction], predicate: hasData })
      },
      onError: (_error, on) => {
        show(!on)
        toast.error(failure)
      },
    })
    void change
      .mutate(on)
      .catch(() => undefined) // onError has reported it
      .then(() => change.reset())
  }

  return { known: reacted !== undefined, on: reacted?.includes(postId) ?? false, set }
}
