const units = { day: 'day', week: 'week', month: 'month', year: 'year' } as const
type Unit = keyof typeof units

/** `month`, or `3 months`: so many periods, each of `count` intervals. */
const lengthOf = (periods: number, unit: Unit, count: number) =>
  periods * count === 1 ? units[unit] : `${periods * count} ${units[unit]}s`

/** Offers without a code (OFFER-04): what fans see of them. */
export const offerTexts = {
  off: (percent: number) => `${percent}% off`,
  /** Read aloud before a price that is struck through. */
  before: 'Full price:',
  now: 'Price now:',
  first: (periods: number, unit: Unit, count: number) => `for your first ${lengthOf(periods, unit, count)}`,
  after: (price: string) => `then ${price}`,
  ends: (day: string) => `Offer ends ${day}`,
  left: (places: string) => `${places} left`,
  cancelAnytime: 'Cancel anytime.',
  /** Below a subscription. */
  runs: (percent: number, day: string) => `${percent}% off until ${day}`,
} as const
