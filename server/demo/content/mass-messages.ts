type DemoMassMessage = {
  readonly content: string
  /** Who gets it. */
  readonly condition: Readonly<Record<string, string>>
  /** Undefined for a free one. */
  readonly priceCents?: number
}

/** What the first creator has sent to those who follow her without a subscription. */
export const sentMassMessage: DemoMassMessage = {
  content:
    'For everyone who has been looking on: the Darkroom is open, and this month it has the harbor series, printed twice. Come in when you like.',
  condition: { condition: 'only_follows' },
}

/** What she sends to her subscribers next week. */
export const waitingMassMessage: DemoMassMessage & { readonly inDays: number } = {
  content: 'Prints leave on Friday. If you have moved, answer with your new address before that.',
  condition: { condition: 'subscribed', status: 'any' },
  inDays: 6,
}
