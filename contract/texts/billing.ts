/** Saved cards, the billing page of the payment provider, and the creator's statement (D40). */
export const billingTexts = {
  title: 'Cards and billing',
  hint: 'A saved card pays by one click, after you have confirmed the amount.',
  none: 'No card is saved.',
  failed: 'Your cards could not be loaded',
  /** Whether purchases take this card. */
  first: 'Used first',
  expires: (month: number, year: number) => `Expires ${String(month).padStart(2, '0')} / ${String(year).slice(-2)}`,
  add: 'Save a card',
  remove: 'Remove',
  removeNamed: (card: string) => `Remove the ${card}`,
  removeDialog: {
    title: (card: string) => `Remove the ${card}?`,
    message: 'It is removed at the payment provider too. A subscription that it pays for needs another card to renew.',
    confirm: 'Remove card',
  },
  removed: 'The card was removed',
  portal: 'Manage billing',
  error: 'Billing Error',
  statement: {
    download: 'Download statement',
    hint: 'The statement is a CSV file with every movement of your money, each line with a checksum over all before it. Whoever has the code of this site can recompute it without us, offline:',
    command: 'npm run verify-statement FILE',
    error: 'Statement Error',
  },
} as const
