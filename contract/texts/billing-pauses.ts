/** A creator's pause, in which nobody is billed (OFFER-09), and whether fans may pause (OFFER-10): with the creator's plans. */
export const billingPauseTexts = {
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
} as const
