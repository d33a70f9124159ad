import { creatorPercentOf } from '../fees.ts'

/** Creator Setup (ONB). */
export const onboardingTexts = {
  title: 'Creator Setup',
  introduction: (feePercent: number) =>
    `Your subscribers pay by card; Stripe pays your share out to your bank. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
  steps: 'Steps',
  done: 'Done',
  create: {
    title: 'Create Creator Account',
    message: 'A payment account at Stripe in your name. It takes a moment and costs nothing.',
    done: 'Your payment account exists.',
    action: 'Create Account',
    connect: 'Connect an existing account',
  },
  verify: {
    title: 'Complete Verification',
    message:
      'Tell Stripe who you are and where your money should go. It opens in a new tab; come back here afterwards.',
    locked: 'Comes after the first step.',
    checking: 'Stripe has your details and is checking them. If it needs more, you can add it there.',
    restricted:
      'Stripe has stopped payments to your account and needs something of you. Continue there to see what; your fans cannot pay you until then.',
    done: 'Charges and payouts are enabled.',
    action: 'Continue to Stripe',
    opened: 'Onboarding is open in another tab. Come back here when you have finished.',
    blocked: 'Your browser blocked the new tab.',
    open: 'Open onboarding',
  },
  status: {
    title: 'Account Status',
    refresh: 'Refresh Status',
    account: 'Payment account',
    onboarding: 'Onboarding',
    charges: 'Charges',
    payouts: 'Payouts',
    accountId: 'Account ID',
    yes: { account: 'Created', onboarding: 'Completed', charges: 'Enabled', payouts: 'Enabled' },
    no: { account: 'Not created', onboarding: 'Not completed', charges: 'Not enabled', payouts: 'Not enabled' },
    /** ONB-10 */
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
    title: 'You are set up to be paid',
    message: 'Define what subscribers get, and for how much.',
    products: 'Subscription Products',
    dashboard: 'Go to Dashboard',
  },
  unapproved: {
    message: 'You can set up payments now. Before you can sell, we need to verify who you are.',
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
  connectDeclined: 'Stripe did not send a code back. Start again when you are ready.',
  /** ONB-14 */
  startFailed: 'Failed to start onboarding',
  noUrl: 'No onboarding URL returned',
  /** ONB-15 */
  checkFailed: (message: string) => `Failed to check creator status: ${message}`,
  /** ONB-16 */
  startConnectFailed: (message: string) => `Failed to start Connect: ${message}`,
  learnMore: 'Learn more',
} as const
