import { profileLayoutTexts } from '@ovation/contract/texts/profile-layouts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { formatCompact } from '../../lib/format/format-number.ts'
import classes from './subscription-facts.module.css'

const texts = profileLayoutTexts.facts

/** Null for a number that the creator doesn't show. */
type Facts = { subscribers: number | null; posts: number | null }

const subscriptionFactsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['subscription-facts', creatorId],
    queryFn: async ({ signal }): Promise<Facts | null> => {
      const { data } = await supabase
        .rpc('get_subscription_facts', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })

/** The numbers that a creator shows beside their plans (PAGE-01). They are extra, so a failure shows nothing. */
export default function SubscriptionFacts({ creatorId }: { creatorId: string }) {
  const { data: facts } = useQuery(subscriptionFactsQuery(creatorId))
  if (!facts) return null
  return (
    <ul className={`facts ${classes.facts}`} aria-label={texts.label}>
      {facts.subscribers !== null && (
        <li>{texts.subscribers(formatCompact(facts.subscribers), facts.subscribers === 1)}</li>
      )}
      {facts.posts !== null && <li>{texts.posts(formatCompact(facts.posts), facts.posts === 1)}</li>}
    </ul>
  )
}
