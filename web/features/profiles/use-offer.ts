import { useQuery } from '@tanstack/react-query'
import { useBlocked } from '../../domain/blocks/use-block.ts'
import {
  describeSubscription,
  type MySubscription,
  subscriptionToQuery,
} from '../../domain/subscriptions/my-subscriptions.ts'
import { type Plan, plansQuery } from '../../domain/subscriptions/plan-queries.ts'
import { useTrialOffers } from '../../domain/subscriptions/use-trial-offers.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import type { Profile } from './queries.ts'

/** What the head of a profile sells, or that the viewer has it already (LOOP-05). */
export type Offer =
  | { state: 'none' }
  | { state: 'pending' }
  | { state: 'subscribed'; subscription: MySubscription }
  /** The trial is that of the cheapest plan, and for new subscribers; without one it is 0. */
  | { state: 'open'; plans: Plan[]; cheapest: Plan; trialDays: number }

export function useOffer({ id, is_verified: sells }: Profile, own: boolean): Offer {
  const viewer = useViewer()
  const isFan = sells && !own
  const blocked = useBlocked(id)
  const plans = useQuery({ ...plansQuery(id), enabled: isFan })
  const latest = useQuery({ ...subscriptionToQuery(viewer?.profileId ?? '', id), enabled: isFan && Boolean(viewer) })
  const withTrial = useTrialOffers(id, isFan && (viewer === null || latest.data === null))

  // After an error there is nothing to promise: the plans' own tab offers Retry.
  if (!isFan || blocked || plans.isError || latest.isError) return { state: 'none' }
  if (viewer === undefined || plans.isPending || (viewer && latest.isPending)) return { state: 'pending' }
  const subscription = latest.data ?? null
  if (subscription && describeSubscription(subscription).state !== 'ended') return { state: 'subscribed', subscription }
  // The creator's order may be another (LOOP-15).
  const [cheapest] = plans.data.toSorted((one, other) => one.price_cents - other.price_cents)
  if (!cheapest) return { state: 'none' }
  return { state: 'open', plans: plans.data, cheapest, trialDays: subscription ? 0 : withTrial(cheapest).trial_days }
}
