/** Subscribing and its success screen (SUB). */
export const subscriptionTexts = {
  /** SUB-02 */
  error: 'Subscription Error',
  noUrl: 'No checkout URL received from server',
  /** SUB-04 */
  switching: {
    title: (plan: string) => `Switch to ${plan}?`,
    message: (price: string) =>
      `From now on you pay ${price}. If that is more than before, the difference for the rest of this period is charged now; if it is less, your next bill is lower. A free trial doesn't carry over to a plan that costs more: it ends when that plan's own trial would have, or right away.`,
    confirm: 'Switch Plan',
    done: (plan: string) => `You are on ${plan} now`,
    /** The bank wants to ask first. */
    bank: {
      title: 'Confirm with your bank',
      message: (plan: string, until: string) =>
        `Your bank wants you to confirm this payment. You switch to ${plan} as soon as you do. Until then your plan stays as it is, and if you don't confirm by ${until}, nothing is charged. You'll also find this under Subscriptions.`,
      confirm: 'Go to your bank',
      later: 'Later',
    },
  },
  /** D29, SET-06 */
  mine: {
    title: 'Subscriptions',
    loadFailed: 'Your subscriptions could not be loaded',
    empty: {
      title: 'No subscriptions yet',
      message: 'Creators you subscribe to appear here, with what they cost and when they renew.',
      action: 'Explore all creators',
    },
    /** A plan that its creator withdrew cannot be read any more; whoever has it keeps it. */
    formerPlan: 'A plan that is no longer offered',
    states: {
      active: 'Active',
      trial: 'Free trial',
      past_due: 'Payment failed',
      confirm: 'Confirm payment',
      paused: 'Paused',
      ending: 'Canceled',
      ended: 'Ended',
    },
    renews: (date: string) => `Renews on ${date}`,
    trialEnds: (date: string) => `Free until ${date}, then it renews`,
    accessUntil: (date: string) => `Open to you until ${date}`,
    closedSince: (date: string) => `Closed to you since ${date}`,
    endedOn: (date: string) => `Ended on ${date}`,
    /** SUB-05 */
    cancel: 'Cancel',
    cancelNamed: (creator: string) => `Cancel the subscription to ${creator}`,
    cancelDialog: {
      title: 'Cancel this subscription?',
      message: (creator: string, date: string) =>
        `Nothing more is charged. What ${creator} shares with subscribers stays open to you until ${date}, and until then you can resume.`,
      /** Of what is closed already, for want of a payment. */
      messageClosed: 'It ends with its period and renews no more.',
      confirm: 'Cancel subscription',
      keep: 'Keep subscription',
    },
    endOfPeriod: 'the end of the period you paid for',
    canceled: 'Subscription canceled',
    resume: 'Resume',
    resumeNamed: (creator: string) => `Resume the subscription to ${creator}`,
    resumed: 'Your subscription continues',
    changeCard: 'Change card',
    changeCardNamed: (creator: string) => `Change the card that pays for the subscription to ${creator}`,
    confirm: 'Confirm payment',
    confirmNamed: (creator: string) => `Confirm the payment for ${creator} with your bank`,
    switchWaits: (plan: string, until: string) =>
      `Your bank wants you to confirm the switch to ${plan} by ${until}. Until then your plan stays as it is.`,
    plans: 'See plans',
    plansOf: (creator: string) => `See the plans of ${creator}`,
  },
  success: {
    pageTitle: 'Subscription',
    checking: 'Confirming your subscription…',
    checkingHint: 'Your payment is being confirmed. This takes up to 20 seconds.',
    title: 'Subscription Successful!',
    subscribedTo: (creator: string) => `Subscribed to ${creator}`,
    viewProfile: 'View Creator Profile',
    dashboard: 'Go to Dashboard',
    /** SUB-12 */
    verified: 'Subscription verified! You now have access to exclusive content.',
    /** SUB-13 */
    unverified: 'Unable to verify subscription. Please contact support if you completed payment.',
    unverifiedTitle: 'Not confirmed yet',
    home: 'Return to Home',
    support: 'Contact support',
  },
} as const
