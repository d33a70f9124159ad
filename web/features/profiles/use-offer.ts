import { useQuery } from '@tanstack/react-query'
import { useBlocked } from '../../domain/blocks/use-block.ts'
import { type PlanOffer, usePlanOffers } from '../../domain/offers/plan-offers.ts'
import { isOver, type MySubscription, subscriptionToQuery } from '../../domain/subscriptions/my-subscriptions.ts'
import { type Plan, plansQuery } from '../../domain/subscriptions/plan-queries.ts'
import { useTrialOffers } from '../../domain/subscriptions/use-trial-offers.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import type { Profile } from './queries.ts'

/** What the head of a profile sells, or that the viewer has it already (LOOP-05). */
export type Offer =
  | { state: 'none' }
  | { state: 'pending' }
  | { state: 'subscribed'; subscription: MySubscription }
  /** Trial and offer are those of the cheapest plan; of the two, a viewer gets one. Without a trial, its days are 0. */
  | { state: 'open'; plans: Plan[]; cheapest: Plan; trialDays: number; offer: PlanOffer | undefined }

export function useOffer({ id, is_verified: sells }: Profile, own: boolean): Offer {
  const viewer = useViewer()
  const isFan = sells && !own
  const blocked = useBlocked(id)
  const plans = useQuery({ ...plansQuery(id), enabled: isFan })
  const latest = useQuery({ ...subscriptionToQuery(viewer?.profileId ?? '', id), enabled: isFan && Boolean(viewer) })
  const offers = usePlanOffers(id, isFan && (viewer === null || latest.isSuccess))
  const withTrial = useTrialOffers(id, isFan && (viewer === null || latest.data === null))

  // After an error there is nothing to promise: the plans' own tab offers Retry.
  if (!isFan || blocked || plans.isError || latest.isError) return { state: 'none' }
  if (viewer === undefined || plans.isPending || (viewer && latest.isPending)) return { state: 'pending' }
  const subscription = latest.data ?? null
  if (subscription && !isOver(subscription)) return { state: 'subscribed', subscription }
  if (offers.isLoading) return { state: 'pending' }
  const hasLinkTrial = (plan: Plan) => withTrial(plan).trial_days > plan.trial_days
  const offerOf = (plan: Plan) => (hasLinkTrial(plan) ? undefined : offers.offerOf(plan.id))
  const priceOf = (plan: Plan) => offerOf(plan)?.offer_cents ?? plan.price_cents
  // The creator's order may be another (LOOP-15).
  const [cheapest] = plans.data.toSorted((one, other) => priceOf(one) - priceOf(other))
  if (!cheapest) return { state: 'none' }
  const offer = offerOf(cheapest)
  const trialDays = subscription || offer ? 0 : withTrial(cheapest).trial_days
  return { state: 'open', plans: plans.data, cheapest, trialDays, offer }
}
