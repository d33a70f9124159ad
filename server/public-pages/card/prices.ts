import { postTexts } from '@ovation/contract/texts/posts'
import { cardTexts } from '@ovation/contract/texts/public-pages'
import type { PostPage, ProfilePage } from '../read-page.ts'

/** What unlocks a locked post, and for how much (LOOP-14). */
export function writeLock({ offer }: PostPage): string {
  if (!offer) return postTexts.subscriberOnly
  if (!offer.plan) return postTexts.locked.ppv(dollars(offer.cents))
  return `${postTexts.locked.plan(offer.plan.name)} · ${cardTexts.price(dollars(offer.cents), offer.plan.interval)}`
}

/** The creator's cheapest plan; empty without plans. */
export function writePlans({ plans }: ProfilePage): string {
  const [cheapest] = plans.toSorted((one, other) => one.price_cents - other.price_cents)
  return cheapest ? cardTexts.plansFrom(dollars(cheapest.price_cents), cheapest.interval) : ''
}

const dollars = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
