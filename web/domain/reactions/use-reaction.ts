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
  /** Told when the server refuses. */
  failure: string
  /** Told at once, and again with the opposite when the server refuses. */
  onChange: (on: boolean) => void
}

/** A reaction that is on or off, shown at once and taken back when the server refuses. Within `Reactions`. */
export function useReaction({ reaction, viewerId, postId, failure, onChange }: Options) {
  const queryClient = useQueryClient()
  const { postIds, [reaction]: reacted } = use(ReactionsContext)

  const show = (on: boolean) => {
    const asked = reactionsQuery(reaction, viewerId ?? '', postIds)
    // Of two quick presses the first one may fail after the second was shown: then there is nothing to take back.
    if (queryClient.getQueryData(asked.queryKey)?.includes(postId) === on) return
    queryClient.setQueriesData<string[]>({ queryKey: [...reactionsKey, reaction, viewerId] }, (ids) => {
      if (!ids) return ids
      const others = ids.filter((id) => id !== postId)
      return on ? [...others, postId] : others
    })
    onChange(on)
  }

  const set = (on: boolean) => {
    // Made with the press: of all the buttons of a list few are ever pressed.
    const change = new MutationObserver(queryClient, {
      // One after the other, so that the last press decides.
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
      .catch(() => undefined) // told above
      .then(() => change.reset())
  }

  return { known: reacted !== undefined, on: reacted?.includes(postId) ?? false, set }
}
