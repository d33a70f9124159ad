import { creatorPercentOf } from '../fees.ts'
import { priceMaxCents, productMinPriceCents, trialMaxDays } from '../limits.ts'

const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** The subscription products manager (PROD). */
export const subscriptionProductsTexts = {
  title: 'Subscription Products',
  introduction: (feePercent: number) =>
    `What your subscribers pay for. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
  /** PROD-10 */
  active: 'Active',
  inactive: 'Inactive',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activateNamed: (name: string) => `Activate ${name}`,
  deactivateNamed: (name: string) => `Deactivate ${name}`,
  activated: (name: string) => `${name} is offered again`,
  deactivated: (name: string) => `${name} is no longer offered`,
  deactivateHint: 'Of a plan that you deactivate: who is subscribed stays subscribed, and new people cannot choose it.',
  changeFailed: 'The product could not be changed',
  list: 'Your products',
  subscriber: 'subscriber',
  edit: {
    open: 'Edit',
    named: (name: string) => `Edit ${name}`,
    title: 'Edit product',
    hint: 'Price and interval stay as your subscribers agreed to them. For others, create another product and deactivate this one.',
    save: 'Save',
    saved: 'Product saved',
  },
  /** POST-43, D14 */
  tieredAccess: {
    label: 'Higher plans unlock more',
    hint: 'On: a post for one plan opens with that plan and dearer ones. Off: every plan opens all of your subscriber-only posts.',
    on: 'Higher plans unlock more now',
    off: 'Every plan opens all of your subscriber-only posts now',
    failed: 'This could not be changed',
  },
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
  empty: { title: 'No products yet', message: 'Define your first plan: its name, its price and how often it is paid.' },
  /** PROD-12 */
  loadFailed: 'Failed to load subscription products',
  createFailed: 'Failed to create subscription product',
  functionFailed: 'Edge function error creating product',
  created: (name: string) => `${name} is now offered to your fans`,
  form: {
    title: 'New product',
    name: 'Name',
    description: { label: 'Description', hint: 'What subscribers get. Optional.' },
    price: { label: 'Price', hint: 'In US dollars, $1.00 or more' },
    interval: 'Billed every',
    intervals: { month: 'Month', year: 'Year', week: 'Week' },
    trial: { label: 'Free trial', hint: 'Days before the first payment; 0 for none' },
    submit: 'Create Product',
  },
  preview: { title: 'Preview', message: 'This is how fans see it on your profile.', name: 'Plan name' },
  errors: {
    /** PROD-03 */
    required: 'Please fill in all required fields',
    name: 'Enter a name',
    price: 'Enter a price',
    priceLow: `The price must be at least ${dollars(productMinPriceCents)}`,
    priceHigh: `The price must be at most ${dollars(priceMaxCents)}`,
    trial: `Use a whole number of days, 0 to ${trialMaxDays}`,
  },
  /** PROD-08 */
  onboardingFirst: {
    title: 'Payments come first',
    message: 'Please complete Stripe onboarding before creating products',
    action: 'Creator Setup',
  },
  /** D25 */
  approvalFirst: {
    title: 'Verification Required',
    message: 'Only approved creators can sell subscriptions. Apply, and we will look at it within 24 hours.',
    action: 'Get Verified',
  },
} as const
