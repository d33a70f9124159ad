import { creatorPercentOf } from '../fees.ts'
import { planBenefitMaxLength, planBenefitsMax, priceMaxCents, productMinPriceCents, trialMaxDays } from '../limits.ts'

const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** The subscription products manager (PROD). */
export const subscriptionProductsTexts = {
  title: 'Subscription plans',
  introduction: (feePercent: number) =>
    `Plans your fans can choose. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
  /** PROD-10 */
  active: 'Active',
  inactive: 'Inactive',
  activate: 'Activate',
  deactivate: 'Deactivate',
  activateNamed: (name: string) => `Activate ${name}`,
  deactivateNamed: (name: string) => `Deactivate ${name}`,
  activated: (name: string) => `${name} is available again`,
  deactivated: (name: string) => `${name} is no longer available to new subscribers`,
  deactivateHint: "Current subscribers keep a deactivated plan, but new ones can't choose it.",
  changeFailed: "Couldn't change the plan",
  list: 'Your plans',
  subscriber: 'subscriber',
  edit: {
    open: 'Edit',
    named: (name: string) => `Edit ${name}`,
    title: 'Edit plan',
    hint: "You can't change the billing interval. To change it, create a new plan and deactivate this one.",
    save: 'Save',
    saved: 'Plan saved',
    popular: { label: 'Most popular', hint: 'Highlights this plan. Only one plan can be highlighted.' },
  },
  /** LOOP-15 */
  popular: 'Most popular',
  order: {
    open: 'Change order',
    title: 'Order of your plans',
    hint: 'Fans see your plans in this order.',
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    moved: (name: string, place: number, of: number) => `${name}: ${place} of ${of}`,
    save: 'Save order',
    saved: 'Order saved',
    failed: "Couldn't save the order",
  },
  /** POST-43, D14 */
  tieredAccess: {
    label: 'Higher plans unlock more',
    hint: 'When on, a post for one plan also opens for more expensive plans. When off, every plan opens all of your subscriber posts.',
    on: 'Higher plans now unlock more',
    off: 'Every plan now opens all of your subscriber posts',
    failed: "Couldn't save this change",
  },
  trial: (days: number) => `${days} ${days === 1 ? 'day' : 'days'} free`,
  empty: { title: 'No plans yet', message: 'Create your first plan: choose a name, a price, and how often to bill.' },
  /** PROD-12 */
  loadFailed: 'Failed to load subscription products',
  createFailed: 'Failed to create subscription product',
  functionFailed: 'Edge function error creating product',
  prepared: (name: string) => `${name} is ready, and opens once you're approved`,
  waiting: {
    label: 'Opens when approved',
    message: "Your plans open once you're approved. Until then, only you see them.",
  },
  created: (name: string) => `${name} is now available to your fans`,
  form: {
    title: 'New plan',
    name: 'Name',
    description: { label: 'Description', hint: 'What subscribers get (optional)' },
    benefits: { label: 'Benefits', hint: `One per line, up to ${planBenefitsMax} (optional)` },
    price: { label: 'Price', hint: 'In US dollars, $1.00 or more' },
    interval: 'Billed every',
    intervals: { month: 'Month', year: 'Year', week: 'Week' },
    trial: { label: 'Free trial', hint: 'Days before the first payment. Enter 0 for no trial.' },
    submit: 'Create plan',
  },
  preview: { title: 'Preview', message: 'This is how fans see it on your profile.', name: 'Plan name' },
  errors: {
    /** PROD-03 */
    required: 'Please fill in all required fields',
    name: 'Enter a name',
    price: 'Enter a price',
    priceLow: `The price must be at least ${dollars(productMinPriceCents)}`,
    priceHigh: `The price must be at most ${dollars(priceMaxCents)}`,
    benefitsMany: `A plan can have up to ${planBenefitsMax} benefits`,
    benefitLong: `A benefit can have up to ${planBenefitMaxLength} characters`,
    trial: `Use a whole number of days, 0 to ${trialMaxDays}`,
  },
  /** PROD-08 */
  onboardingFirst: {
    title: 'Set up payouts first',
    message: 'Please complete Stripe onboarding before creating products',
    action: 'Set up payouts',
  },
  /** D25 */
  approvalFirst: {
    title: 'Verification Required',
    message: "Only approved creators can sell subscriptions. Apply, and we'll review it within 24 hours.",
    action: 'Get verified',
  },
} as const
