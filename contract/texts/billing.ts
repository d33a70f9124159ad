/** Saved cards, and the billing page of the payment provider (D40). */
export const billingTexts = {
  title: 'Cards and billing',
  hint: "Pay in one click. You'll always confirm the amount first.",
  none: 'No saved cards.',
  failed: "Couldn't load your cards",
  /** Whether purchases take this card. */
  first: 'Default',
  expires: (month: number, year: number) => `Expires ${String(month).padStart(2, '0')} / ${String(year).slice(-2)}`,
  add: 'Save a card',
  remove: 'Remove',
  removeNamed: (card: string) => `Remove ${card}`,
  removeDialog: {
    title: (card: string) => `Remove ${card}?`,
    message:
      "We'll also remove it from the payment provider. Any subscription that uses it needs another card to renew.",
    confirm: 'Remove card',
  },
  removed: 'Card removed',
  portal: 'Manage billing',
  error: 'Billing error',
} as const
