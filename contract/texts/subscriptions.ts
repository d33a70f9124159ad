/** Subscribing and its success screen (SUB). */
export const subscriptionTexts = {
  /** SUB-02 */
  error: 'Subscription Error',
  noUrl: 'No checkout URL received from server',
  /** SUB-04 */
  switching: {
    title: (plan: string) => `Switch to ${plan}?`,
    message: (price: string) =>
      `You'll pay ${price} from now on. If that's more than before, we'll charge the difference for the rest of this period now. If it's less, your next bill is lower. A free trial doesn't carry over to a more expensive plan: it ends when that plan's own trial would have, or right away.`,
    confirm: 'Switch Plan',
    done: (plan: string) => `You're now on ${plan}`,
    /** When the bank requires a confirmation. */
    bank: {
      title: 'Confirm with your bank',
      message: (plan: string, until: string) =>
        `Your bank wants you to confirm this payment. Once you do, you'll switch to ${plan}. Until then, your plan stays the same. If you don't confirm by ${until}, you won't be charged. You can also find this under Subscriptions.`,
      confirm: 'Go to your bank',
      later: 'Later',
    },
  },
  /** D29, SET-06 */
  mine: {
    title: 'Subscriptions',
    loadFailed: "Couldn't load your subscriptions",
    empty: {
      title: 'No subscriptions yet',
      message: 'Creators you subscribe to appear here, with prices and renewal dates.',
      action: 'Explore all creators',
    },
    premium: 'Premium content',
    /** A withdrawn plan can't be read anymore, but its subscribers keep it. */
    formerPlan: 'Discontinued plan',
    states: {
      active: 'Active',
      trial: 'Free trial',
      past_due: 'Payment failed',
      confirm: 'Confirm payment',
      paused: 'Paused',
      pausing: 'Pause set',
      onPause: 'Paused',
      ending: 'Canceled',
      gift: 'Gift',
      ended: 'Ended',
    },
    renews: (date: string) => `Renews on ${date}`,
    trialEnds: (date: string) => `Free until ${date}, then it renews`,
    accessUntil: (date: string) => `Access until ${date}`,
    closedSince: (date: string) => `No access since ${date}`,
    endedOn: (date: string) => `Ended on ${date}`,
    /** SUB-05 */
    cancel: 'Cancel',
    cancelNamed: (creator: string) => `Cancel your subscription to ${creator}`,
    cancelDialog: {
      title: 'Cancel this subscription?',
      message: (creator: string, date: string) =>
        `You won't be charged again. You'll keep access to ${creator}'s subscriber posts until ${date}, and you can resume until then.`,
      /** For a subscription that ended because a payment failed. */
      messageClosed: "It ends with the current period and won't renew.",
      confirm: 'Cancel subscription',
      keep: 'Keep subscription',
    },
    endOfPeriod: 'the end of the period you paid for',
    canceled: 'Subscription canceled',
    resume: 'Resume',
    resumeNamed: (creator: string) => `Resume your subscription to ${creator}`,
    resumed: 'Subscription resumed',
    changeCard: 'Change card',
    changeCardNamed: (creator: string) => `Change card for your subscription to ${creator}`,
    confirm: 'Confirm payment',
    confirmNamed: (creator: string) => `Confirm payment for ${creator} with your bank`,
    switchWaits: (plan: string, until: string) =>
      `Your bank wants you to confirm the switch to ${plan} by ${until}. Until then, your plan stays the same.`,
    plans: 'See plans',
    plansOf: (creator: string) => `See plans by ${creator}`,
  },
  success: {
    pageTitle: 'Subscription',
    checking: 'Confirming your subscription…',
    checkingHint: "We're confirming your payment. This can take up to 20 seconds.",
    title: 'Subscription Successful!',
    subscribedTo: (creator: string) => `Subscribed to ${creator}`,
    viewProfile: 'View Creator Profile',
    /** For creators only (LOOP-06) */
    dashboard: 'Go to Dashboard',
    feed: 'Go to your feed',
    unlocked: 'Just unlocked for you',
    /** SUB-12 */
    verified: 'Subscription verified! You now have access to exclusive content.',
    /** SUB-13 */
    unverified: 'Unable to verify subscription. Please contact support if you completed payment.',
    unverifiedTitle: 'Not confirmed yet',
    home: 'Return to Home',
    support: 'Contact support',
  },
} as const
