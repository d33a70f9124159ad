/** What stands below a subscription with a pause, the fan's own (OFFER-10) or the creator's (OFFER-09). */
export const pauseStateTexts = {
  pausing: (from: string, until: string) => `Access until ${from}, then paused until ${until}`,
  paused: (since: string, until: string) => `No access since ${since}. Resumes on ${until}`,
  pausedOpen: (since: string) => `No access since ${since}. Paused until you resume`,
  billingPaused: (until: string) => `You won't be charged until ${until}`,
  billingPausedOpen: "You won't be charged for now",
} as const
