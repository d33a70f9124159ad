import { offerMaxPeriods, offerMaxUsers } from '../limits.ts'

/** A creator's list of offers, and the form for one (OFFER-04). */
export const creatorOfferTexts = {
  title: 'Offers',
  introduction:
    'Take a percentage off the first payments of new or former subscribers. Fans get it without a code, and see the full price struck through.',
  loadFailed: "Couldn't load your offers",
  none: 'No offers yet.',
  form: 'New offer',
  percent: 'Discount',
  percentHint: 'In percent, from 1 to 99',
  periods: 'Billing periods',
  periodsHint: 'How many payments cost less',
  periodsNote:
    'A plan that is billed by the day or week has the offer on its first payment only. No discount lasts longer than three years.',
  audience: 'Offered to',
  audiences: { new: 'New subscribers', former: 'Former subscribers', all: 'New and former subscribers' },
  plans: 'Applies to',
  allPlans: 'All plans, also those you create later',
  somePlans: 'Only these plans',
  choosePlans: 'Plans with the offer',
  lastDay: 'Ends on',
  lastDayHint: 'Leave blank to end with the number of users',
  limit: 'Number of users',
  limitHint: 'Leave blank to end with the last day',
  replacesTrial: 'During the offer, it replaces the free trial of its plans.',
  create: 'Start offer',
  created: 'Your offer has started',
  error: 'Offer error',
  errors: {
    percent: 'Enter a whole number from 1 to 99',
    periods: `Enter a whole number from 1 to ${offerMaxPeriods}`,
    plans: 'Choose at least one plan',
    lastDay: 'Choose a day from today on, within a year',
    end: 'Choose a last day, a number of users, or both',
    limit: `Enter a whole number from 1 to ${offerMaxUsers.toLocaleString('en-US')}, or leave it blank`,
  },
  line: (percent: number, periods: number) =>
    `${percent}% off the first ${periods === 1 ? 'payment' : `${periods} payments`}`,
  used: (users: string, limit: string | null) => {
    if (limit !== null) return `${users} of ${limit} users`
    return users === '1' ? '1 user' : `${users} users`
  },
  until: (day: string) => `until ${day}`,
  /** The state of an offer that fans can no longer take. */
  over: { ended: 'Ended early', expired: 'Expired', used: 'Used up' },
  everyPlan: 'All plans',
  noPlan: 'Deleted plan',
  earlier: (offers: string) => (offers === '1' ? 'Show 1 earlier offer' : `Show ${offers} earlier offers`),
  end: 'End offer',
  endNamed: (offer: string) => `End offer: ${offer}`,
  endDialog: {
    title: 'End this offer?',
    message: 'Nobody else can take it. Subscribers who have it keep their discount.',
    confirm: 'End offer',
    keep: 'Keep offer',
  },
  ended: 'Your offer has ended',
} as const
