/** Letters to fans about their money: receipts, refunds, failed charges, renewals that come soon (SUB-16, D15). */
export const letterTexts = {
  formerCreator: 'a former creator',
  yourPlan: 'your plan',
  /** What was paid for, by transaction type. */
  kinds: {
    subscription: (creator: string, plan: string) => `${plan} by ${creator}`,
    ppv: (creator: string, _plan: string) => `a post by ${creator}`,
    tip: (creator: string, _plan: string) => `a tip for ${creator}`,
    paid_message: (creator: string, _plan: string) => `a message from ${creator}`,
    private_session: (creator: string, _plan: string) => `a private session with ${creator}`,
  },
  receipt: ({ amount, date, what }: { amount: string; date: string; what: string }) => ({
    subject: `Your receipt for ${amount}`,
    paragraphs: [`You paid ${amount} for ${what} on ${date}.`, 'Thank you. Keep this letter as your receipt.'],
  }),
  refund: ({ amount, what, reason }: { amount: string; what: string; reason: string | null }) => ({
    subject: `${amount} went back to you`,
    paragraphs: [
      `${amount} of your payment for ${what} went back to your card. Banks take up to ten days to show it.`,
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
  }),
  paymentFailed: (about: { creator: string; plan: string; price: string; until: string }) => ({
    subject: `Your payment for ${about.plan} did not go through`,
    paragraphs: [
      `We could not charge your card for ${about.plan} by ${about.creator} (${about.price}).`,
      `You keep your access until ${about.until}. Update your card before then, and nothing changes.`,
    ],
  }),
  paymentToConfirm: (about: { creator: string; plan: string; price: string; until: string }) => ({
    subject: `Confirm your payment for ${about.plan}`,
    paragraphs: [
      `Your bank wants you to confirm your payment for ${about.plan} by ${about.creator} (${about.price}). Your card is fine.`,
      `You keep your access until ${about.until}. Confirm before then, and nothing changes.`,
    ],
  }),
  trialEnds: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `Your free trial of ${about.plan} ends on ${about.date}`,
    paragraphs: [
      `Your free trial of ${about.plan} by ${about.creator} ends on ${about.date}. From then on it costs ${about.price}.`,
      'If you want to stay, there is nothing to do. If not, cancel before that day and nothing is charged.',
    ],
  }),
  renewal: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `${about.plan} renews on ${about.date}`,
    paragraphs: [
      `Your plan ${about.plan} by ${about.creator} renews on ${about.date} for ${about.price}, the price you subscribed at.`,
      'If you want to stay, there is nothing to do. If not, cancel before that day and nothing is charged.',
    ],
  }),
  manage: 'See your subscriptions',
  confirm: 'Confirm with your bank',
  closing: 'You get this because of a payment on your account. You can turn e-mail off in your settings.',
} as const
