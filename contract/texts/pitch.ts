import { creatorPercentOf } from '../fees.ts'

/** What the product offers to creators, below the form of the front page (AUTH-03). It loads after the form, and so do its texts. */
export const pitchTexts = {
  title: 'Get paid for pay-per-view posts, not just subscriptions.',
  message: (feePercent: number) =>
    `Share with everyone, with subscribers, or sell post by post. You keep ${creatorPercentOf(feePercent)}% of every payment.`,
  points: ['Set your own prices', 'Payouts to your bank through Stripe', 'No ads. No middleman.'],
  action: 'Join as a creator',
} as const
