import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { supabase } from '../../lib/api/supabase.ts'
import { commentAccessQuery } from '../comments/queries.ts'
import { choiceOf, commentersOf, usualChoice } from './commenters.ts'
import { CommentersField } from './commenters-field.tsx'

/** Changes who may comment on a published post (TALK-02), within the form that edits it. */
export function usePostCommenters(postId: string, creatorId: string) {
  const queryClient = useQueryClient()
  const query = commentAccessQuery(postId, creatorId)
  const access = useQuery(query).data
  const [chosen, setChosen] = useState<string>()
  const before = access && !access.is_default ? choiceOf(access.commenters, access.plan_id) : usualChoice
  const save = async () => {
    if (chosen === undefined || chosen === before) return
    const rule = commentersOf(chosen)
    await supabase
      .rpc('set_commenters', {
        post_id: postId,
        ...(rule && { commenters: rule.commenters, ...(rule.planId && { plan_id: rule.planId }) }),
      })
      .throwOnError()
    void queryClient.invalidateQueries({ queryKey: query.queryKey.slice(0, 2) })
  }
  const field = (busy: boolean): ReactNode => (
    <CommentersField
      creatorId={creatorId}
      value={chosen ?? before}
      onChange={setChosen}
      hasDefault
      disabled={busy || !access}
    />
  )
  return { save, field }
}
