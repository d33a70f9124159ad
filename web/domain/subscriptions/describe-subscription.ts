import { pauseStateTexts } from '@ovation/contract/texts/pause-states'
import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { formatDate } from '../../lib/format/format-date.ts'
import { closesAt, isOver, type MySubscription } from './my-subscriptions.ts'

export type SubscriptionState = keyof typeof subscriptionTexts.mine.states

/** A subscription's state, and the date that matters to its subscriber. */
export function describeSubscription(
  subscription: MySubscription,
  now: Date = new Date(),
): { state: SubscriptionState; date: string | null } {
  const { status, access_until, current_period_end, trial_end, cancel_at_period_end, is_gift, confirmation } =
    subscription
  const { renews, trialEnds, accessUntil, closedSince, endedOn } = subscriptionTexts.mine
  const until = closesAt(access_until)
  // The card is fine, but its bank wants a confirmation.
  const failed = confirmation && confirmation.expires_at === null ? 'confirm' : 'past_due'
  if (isOver(subscription, now)) {
    const end = Number.isNaN(until) ? current_period_end : access_until
    return { state: 'ended', date: end && Date.parse(end) <= now.getTime() ? endedOn(formatDate(end)) : null }
  }
  if (!(until > now.getTime())) {
    // There is no access, but it isn't over: Stripe still bills it, and a working card restores access.
    if (status === 'past_due' || status === 'unpaid')
      return { state: failed, date: Number.isNaN(until) ? null : closedSince(formatDate(access_until)) }
    if (status === 'paused' && subscription.paused_from)
      return { state: 'onPause', date: describePause(subscription.paused_from, subscription.paused_until) }
    return { state: 'paused', date: Number.isNaN(until) ? null : closedSince(formatDate(access_until)) }
  }
  if (is_gift) return { state: 'gift', date: accessUntil(formatDate(access_until)) }
  if (cancel_at_period_end || status === 'canceled')
    return { state: 'ending', date: accessUntil(formatDate(access_until)) }
  if (status === 'past_due') return { state: failed, date: accessUntil(formatDate(access_until)) }
  if (status === 'trial') return { state: 'trial', date: trialEnds(formatDate(trial_end ?? access_until)) }
  const { paused_from: from, paused_until: to } = subscription
  if (from && to) return { state: 'pausing', date: pauseStateTexts.pausing(formatDate(from), formatDate(to)) }
  return {
    state: 'active',
    date: describeBilling(subscription, now) ?? (current_period_end && renews(formatDate(current_period_end))),
  }
}

function describePause(from: string, until: string | null): string {
  const { paused, pausedOpen } = pauseStateTexts
  return until && Number.isFinite(closesAt(until))
    ? paused(formatDate(from), formatDate(until))
    : pausedOpen(formatDate(from))
}

function describeBilling({ billing_paused_until: until }: MySubscription, now: Date): string | undefined {
  if (!until || !(closesAt(until) > now.getTime())) return undefined
  return until === 'infinity' ? pauseStateTexts.billingPausedOpen : pauseStateTexts.billingPaused(formatDate(until))
}
