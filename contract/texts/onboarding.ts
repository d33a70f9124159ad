import { creatorPercentOf } from '../fees.ts'

/** Payouts; the title is the specification's (ONB-01). */
export const onboardingTexts = {
  title: 'Creator Setup',
  introduction: (feePercent: number) =>
    `Payouts: your fans pay by card, and Stripe sends your share to your bank. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
  steps: 'Steps',
  done: 'Done',
  create: {
    title: 'Create Creator Account',
    message: "We'll open a Stripe account in your name. It's quick and free.",
    country: 'Country',
    countryHint: "Where you live and have your bank account. You can't change it later.",
    chooseCountry: 'Choose your country',
    done: 'Your Stripe account is connected.',
    action: 'Create account',
    connect: 'Connect an existing account',
  },
  verify: {
    title: 'Complete Verification',
    message:
      'Tell Stripe who you are and where to send your money. Stripe opens in a new tab. Come back here when you finish.',
    locked: 'Complete step 1 first.',
    checking: 'Stripe is reviewing your details. If it needs anything else, you can add it there.',
    restricted:
      "Stripe has paused your account and needs more information. Continue to Stripe to see what. Until then, fans can't pay you.",
    done: 'Charges and payouts are enabled.',
    action: 'Continue to Stripe',
    opened: "Onboarding is open in another tab. Come back here when you're done.",
    blocked: 'Your browser blocked the new tab.',
    open: 'Open onboarding',
  },
  status: {
    title: 'Account Status',
    refresh: 'Refresh Status',
    account: 'Payout account',
    onboarding: 'Onboarding',
    charges: 'Charges',
    payouts: 'Payouts',
    accountId: 'Account ID',
    yes: { account: 'Created', onboarding: 'Completed', charges: 'Enabled', payouts: 'Enabled' },
    no: { account: 'Not created', onboarding: 'Not completed', charges: 'Not enabled', payouts: 'Not enabled' },
    /** ONB-10: until everything is enabled. */
    patience: 'Status may take 2 to 3 minutes to update.',
  },
  /** ONB-06 */
  states: {
    none: 'No account yet',
    created: 'Account created',
    completed: 'Onboarding completed',
    restricted: 'Payments paused',
    ready: 'Fully set up',
  },
  ready: {
    title: "You're ready to get paid",
    message: 'Next, create your first plan.',
    products: 'Create a plan',
    dashboard: 'Go to Dashboard',
  },
  unapproved: {
    message: 'You can set up payouts now. Before you can sell, we need to verify your identity.',
    action: 'Apply',
  },
  /** ONB-11 */
  checkingStatus: 'Checking your updated status...',
  redirecting: 'Redirecting to onboarding...',
  connecting: 'Connecting your Stripe account…',
  /** ONB-12, D33 */
  connected: 'Payment account connected successfully!',
  /** ONB-13 */
  connectAccountFailed: 'Failed to connect payment account',
  connectFailed: 'Connect failed',
  connectDeclined: "Stripe didn't send a code back. Try again when you're ready.",
  /** ONB-14 */
  startFailed: 'Failed to start onboarding',
  noUrl: 'No onboarding URL returned',
  /** ONB-15 */
  checkFailed: (message: string) => `Failed to check creator status: ${message}`,
  /** ONB-16 */
  startConnectFailed: (message: string) => `Failed to start Connect: ${message}`,
  learnMore: 'Learn more',
} as const
