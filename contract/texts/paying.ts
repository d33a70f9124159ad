/** Paying once: pay-per-view posts, tips, paid messages and private sessions (POST-45, PROF-21, MSG-08, PRIV-03, D28). */
export const payingTexts = {
  /** A checkout could not be opened. */
  error: 'Payment Error',
  checking: 'Confirming your payment…',
  opened: 'Payment confirmed. The post is open to you now.',
  unlocked: 'Payment confirmed. The message is open to you now.',
  booked: 'Payment confirmed. The creator has your request, and you hear as soon as it is answered.',
  tipped: (amount: string) => `Thank you! Your tip of ${amount} was sent.`,
  notCompleted: 'This payment was not completed. Nothing was charged.',
  unconfirmed: 'Your payment could not be confirmed yet. If you paid, it is not lost: try again in a moment.',
  card: {
    title: (amount: string) => `Pay ${amount}?`,
    named: (brand: string, last4: string) =>
      `${({ amex: 'American Express', mastercard: 'Mastercard', visa: 'Visa' } as Record<string, string>)[brand] ?? 'Card'} that ends in ${last4}`,
    hint: 'The card you saved is charged at once.',
    pay: (amount: string) => `Pay ${amount}`,
    another: 'Use another card',
    card_declined: 'Your saved card was declined. Nothing was charged. You can pay with another card.',
    authentication_required: 'Your bank wants to ask you first. You can confirm it on the next page.',
  },
  tip: {
    open: 'Tip',
    title: (name: string) => `Tip ${name}`,
    presets: 'Suggested amounts',
    amount: 'Amount in USD',
    submit: 'Continue',
  },
} as const
