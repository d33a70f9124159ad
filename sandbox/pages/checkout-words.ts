import type { Context } from '../context.ts'
import { lineItemsOf } from '../resources/line-items.ts'
import type { Kinds } from '../store/kinds.ts'

type Session = Kinds['checkout.session']
type Price = Kinds['price']

const inDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
export const dollars = (cents: number): string => inDollars.format(cents / 100)

/** `month`, `3 months` */
export const everyOf = (recurring: NonNullable<Price['recurring']>): string =>
  recurring.interval_count === 1 ? recurring.interval : `${recurring.interval_count} ${recurring.interval}s`

const inWords = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
export const dateOf = (seconds: number): string => inWords.format(new Date(seconds * 1000))

/** The words that depend on what is sold: heading, price, what happens later, button. `about` is what the shop says about a subscription. */
export function wordsOf(context: Context, session: Session) {
  const items = lineItemsOf(context, session.id)
  const total = items.reduce((sum, item) => sum + item.amount_total, 0)
  /** A single line would say the price a third time. */
  const itemised = items.length > 1 || items.some((item) => (item.quantity ?? 1) > 1)
  const names = items.map((item) => item.description).join(', ')
  const recurring = items[0]?.price?.recurring
  if (session.mode === 'setup')
    return {
      items,
      itemised,
      heading: `Save a card with ${context.merchant}`,
      about: undefined,
      price: '',
      per: '',
      off: 0,
      discount: '',
      later: 'Nothing is charged now. You pay with it by one click, and can remove it at any time.',
      consent: '',
      button: 'Save card',
      dueToday: 0,
    }
  const { trial_days: trialDays, description } = context.store.hidden('checkout.session', session.id).subscription
  if (!recurring)
    return {
      items,
      itemised,
      heading: names,
      about: undefined,
      price: dollars(total),
      per: '',
      off: 0,
      discount: '',
      later: null,
      consent: '',
      button: `Pay ${dollars(total)}`,
      dueToday: total,
    }
  const every = everyOf(recurring)
  const price = dollars(total)
  const recurs = {
    items,
    itemised,
    heading: `Subscribe to ${names}`,
    about: description,
    consent: 'By continuing you let the seller charge your card for this and later periods. ',
  }
  if (!trialDays)
    return {
      ...recurs,
      price,
      per: `per ${every}`,
      off: total - (session.amount_total ?? total),
      discount: discountName(context, session),
      later: `Renews every ${every} until you cancel.`,
      button: 'Subscribe',
      dueToday: session.amount_total ?? total,
    }
  const end = dateOf(context.now + trialDays * 86_400)
  return {
    ...recurs,
    price: `${trialDays} ${trialDays === 1 ? 'day' : 'days'} free`,
    per: `then ${price} per ${every}`,
    off: 0,
    discount: '',
    later: `Your card is charged ${price} on ${end} unless you cancel before.`,
    button: 'Start trial',
    dueToday: 0,
  }
}

/** As on Stripe's pages, a coupon without a code has its own name. */
function discountName(context: Context, session: Session): string {
  const { discount } = context.store.hidden('checkout.session', session.id).subscription
  const name = discount?.promotionCode === null ? context.store.get('coupon', discount.coupon).name : null
  return name ?? 'Promotion code'
}
