/** The price lock: a new price is for new subscribers, and others are moved to it with notice (OFFER-08). */
export const priceLockTexts = {
  change: {
    open: 'Change price',
    named: (plan: string) => `Change price: ${plan}`,
    title: 'Change price',
    label: 'New price',
    hint: 'New subscribers pay it from now on. Current subscribers keep their price until you move them.',
    save: 'Change price',
    saved: (plan: string, price: string) => `New subscribers now pay ${price} for ${plan}`,
    same: 'Enter another price than the current one',
    failed: "Couldn't change the price",
  },
  earlier: (subscribers: number) =>
    subscribers === 1 ? '1 subscriber pays an earlier price' : `${subscribers} subscribers pay an earlier price`,
  moving: (subscribers: number, date: string | null) =>
    `${subscribers === 1 ? '1 subscriber moves' : `${subscribers} subscribers move`} to this price${
      date === null ? ' soon' : ` with the first renewal after ${date}`
    }`,
  move: {
    open: 'Move to this price',
    named: (plan: string) => `Move to this price: ${plan}`,
    title: (plan: string) => `Move subscribers of ${plan}?`,
    message: (price: string) =>
      `Everyone who pays an earlier price moves to ${price}, or to its price for their term. They get a notice in the app and by email now, see both prices, and can leave. If the new price is higher, they pay it from their first renewal after 31 days. If it's lower, from their next one.`,
    confirm: 'Move subscribers',
    moved: (subscribers: number) =>
      subscribers === 1 ? '1 subscriber gets a notice' : `${subscribers} subscribers get a notice`,
    failed: "Couldn't move your subscribers",
  },
  notice: {
    title: 'Your price will change',
    higher: (from: string, to: string, date: string) =>
      `You pay ${from} now. From your first renewal after ${date}, you'll pay ${to}. You can leave before then.`,
    lower: (from: string, to: string) => `You pay ${from} now. From your next renewal, you'll pay ${to}.`,
    leave: 'Leave at the old price',
    leaveNamed: (creator: string) => `Leave at the old price: ${creator}`,
    left: "You won't be charged the new price. You keep access for the time you paid for.",
  },
} as const
