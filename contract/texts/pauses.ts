/** A fan's pause of one subscription (OFFER-10), and what fans see while a creator's billing is paused (OFFER-09). */
export const pauseTexts = {
  months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
  /** A fan's own subscription. */
  own: {
    keep: "Don't pause",
    keepNamed: (creator: string) => `Don't pause your subscription to ${creator}`,
    kept: "Your subscription won't be paused",
    resume: 'Resume now',
    resumeNamed: (creator: string) => `Resume your subscription to ${creator} now`,
    resumeDialog: {
      title: 'Resume now?',
      message: (creator: string, price: string) =>
        `We'll charge your card ${price} now. You'll have access to ${creator}'s subscriber posts right away, and a new period begins today.`,
      confirm: (price: string) => `Pay ${price} and resume`,
    },
    resumed: 'Your subscription is active again',
    bank: 'Your bank wants you to confirm this payment. Your subscription is active once you do.',
    cancelDialog: "You're paused, so it ends right away. You won't be charged again.",
  },
  /** In the dialog that asks before a subscription is canceled. */
  instead: {
    title: 'Take a break instead?',
    message: (until: string) =>
      `You keep access until ${until}. After that, you have no access and pay nothing until your break is over. You can come back earlier.`,
    label: 'Pause for',
    pause: (months: string) => `Pause for ${months}`,
    done: (until: string) => `Your subscription is set to pause on ${until}`,
  },
  /** On a creator's plans. */
  plans: {
    title: 'Billing is paused',
    visitor: (until: string) => `Nobody is charged until ${until}. You can subscribe or switch plans then.`,
    ownPaused: 'Your subscription is paused. Resume it to have access again.',
    manage: 'Manage subscription',
  },
} as const
