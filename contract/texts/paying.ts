/** One-time payments: pay-per-view posts, tips, paid messages and private sessions (POST-45, PROF-21, MSG-08, PRIV-03, D28). */
export const payingTexts = {
  /** When the checkout can't be opened. */
  error: 'Payment error',
  checking: 'Confirming your payment…',
  opened: 'Payment confirmed. Enjoy the post!',
  /** Before the creator's name, on the post that was just bought (LOOP-06). */
  openedBy: 'Unlocked from',
  openProfile: 'See more posts',
  unlocked: 'Payment confirmed. Your message is unlocked.',
  booked: "Payment confirmed. We'll let you know when the creator responds.",
  given: 'Payment confirmed. Your gift is on its way.',
  gotProduct: 'Payment confirmed. Your files are ready.',
  tipped: (amount: string) => `Thank you! Your tip of ${amount} was sent.`,
  notCompleted: "This payment wasn't completed. You weren't charged.",
  unconfirmed: "We couldn't confirm your payment yet. If you paid, it's safe. Try again in a moment.",
  card: {
    title: (amount: string) => `Pay ${amount}?`,
    named: (brand: string, last4: string) =>
      `${({ amex: 'American Express', mastercard: 'Mastercard', visa: 'Visa' } as Record<string, string>)[brand] ?? 'Card'} ending in ${last4}`,
    hint: "We'll charge your saved card right away.",
    pay: (amount: string) => `Pay ${amount}`,
    another: 'Use another card',
    card_declined: "Your saved card was declined. You weren't charged. You can pay with another card.",
    authentication_required: 'Your bank needs you to confirm this payment. You can do that on the next page.',
  },
  tip: {
    open: 'Tip',
    title: (name: string) => `Tip ${name}`,
    presets: 'Suggested amounts',
    amount: 'Amount in USD',
    note: 'Note (optional)',
    noteHint: (name: string) => `${name} sees it with your tip.`,
    submit: 'Continue',
  },
} as const
