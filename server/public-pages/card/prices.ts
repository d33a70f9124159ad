import { postTexts } from '@ovation/contract/texts/posts'
import { productTexts } from '@ovation/contract/texts/products'
import { cardTexts } from '@ovation/contract/texts/public-pages'
import type { PostPage, ProductPage, ProfilePage } from '../read-page.ts'

/** What unlocks a locked post, and for how much (LOOP-14). */
export function writeLock({ offer }: PostPage): string {
  if (!offer) return postTexts.subscriberOnly
  if (!offer.plan) return postTexts.locked.ppv(dollars(offer.cents))
  return `${postTexts.locked.plan(offer.plan.name)} · ${cardTexts.price(dollars(offer.cents), offer.plan.interval)}`
}

/** What a product costs visitors, or that none is left. */
export function writePrice({ cents, takesMore, isSoldOut }: ProductPage): string {
  const price = takesMore ? productTexts.page.from(dollars(cents)) : dollars(cents)
  return isSoldOut ? `${price} · ${productTexts.page.soldOut}` : price
}

/** The creator's cheapest plan; empty without plans. */
export function writePlans({ plans }: ProfilePage): string {
  const [cheapest] = plans.toSorted((one, other) => one.price_cents - other.price_cents)
  return cheapest ? cardTexts.plansFrom(dollars(cheapest.price_cents), cheapest.interval) : ''
}

const dollars = (cents: number): string => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
