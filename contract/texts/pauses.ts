/** Pauses: a creator's, in which nobody is billed (OFFER-09), and a fan's of one subscription (OFFER-10). */
export const pauseTexts = {
  months: (count: number) => (count === 1 ? '1 month' : `${count} months`),
  /** A fan's own subscription. */
  own: {
    pausing: (from: string, until: string) => `Access until ${from}, then paused until ${until}`,
    paused: (since: string, until: string) => `No access since ${since}. Resumes on ${until}`,
    pausedOpen: (since: string) => `No access since ${since}. Paused until you resume`,
    billingPaused: (until: string) => `You won't be charged until ${until}`,
    billingPausedOpen: "You won't be charged for now",
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
  /** For the creator, with their plans. */
  creator: {
    heading: 'Pauses',
    introduction:
      'Taking time off? Pause billing for up to 3 months. Your subscribers keep their access and pay nothing, and nobody new can subscribe.',
    loadFailed: "Couldn't load your pauses",
    length: 'Length',
    open: 'Pause billing',
    dialog: {
      title: 'Pause billing?',
      message: (subscribers: string, until: string) =>
        `${subscribers} won't be charged until ${until} and keep their access. They get a notice in the app and by email now, and again 7 days before billing resumes by itself.`,
      confirm: 'Pause billing',
    },
    none: 'Your subscribers',
    paused: (until: string) => `Billing is paused until ${until}`,
    failed: "Couldn't pause billing",
    until: (date: string) => `Nobody is charged until ${date}. Then billing resumes by itself.`,
    notice: (date: string) => `Your subscribers get a notice on ${date}.`,
    noticed: 'Your subscribers have a notice of it.',
    resume: 'Resume in 7 days',
    resumeDialog: {
      title: 'Resume billing?',
      message: (date: string) =>
        `Your subscribers get a notice now, and billing resumes on ${date}. It can't resume sooner, so that nobody is charged by surprise.`,
      confirm: 'Resume billing',
    },
    resumes: (date: string) => `Billing resumes on ${date}`,
    resumeFailed: "Couldn't resume billing",
    allow: {
      label: 'Let subscribers pause',
      hint: "They can pause for 1 to 3 months instead of canceling. Until they're back, they have no access and pay nothing.",
      on: 'Subscribers can pause now',
      off: "Subscribers can't pause anymore",
      failed: "Couldn't save it",
    },
  },
} as const
