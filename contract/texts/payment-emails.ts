/** Emails to fans about payments: receipts, refunds, failed charges, upcoming renewals (SUB-16, D15). */
export const paymentEmailTexts = {
  formerCreator: 'a former creator',
  yourPlan: 'your plan',
  /** The item, by transaction type. */
  kinds: {
    subscription: (creator: string, plan: string) => `${plan} by ${creator}`,
    ppv: (creator: string, _plan: string) => `a post by ${creator}`,
    tip: (creator: string, _plan: string) => `a tip for ${creator}`,
    paid_message: (creator: string, _plan: string) => `a message from ${creator}`,
    private_session: (creator: string, _plan: string) => `a private session with ${creator}`,
    gift: (creator: string, plan: string) => `a gift of ${plan} by ${creator}`,
    product: (creator: string, _plan: string) => `a product by ${creator}`,
  },
  tipTowardGoal: (creator: string, goal: string) => `a tip for ${creator} toward "${goal}"`,
  receipt: ({ amount, date, what }: { amount: string; date: string; what: string }) => ({
    subject: `Your receipt for ${amount}`,
    paragraphs: [`You paid ${amount} for ${what} on ${date}.`, 'Thank you! Keep this email as your receipt.'],
  }),
  refund: ({ amount, what, reason }: { amount: string; what: string; reason: string | null }) => ({
    subject: `Your refund of ${amount}`,
    paragraphs: [
      `We refunded ${amount} of your payment for ${what} to your card. It can take up to ten days to appear.`,
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
  }),
  paymentFailed: (about: { creator: string; plan: string; price: string; until: string }) => ({
    subject: `Your payment for ${about.plan} didn't go through`,
    paragraphs: [
      `We couldn't charge your card for ${about.plan} by ${about.creator} (${about.price}).`,
      `You have access until ${about.until}. Update your card before then to keep your subscription.`,
    ],
  }),
  paymentToConfirm: (about: { creator: string; plan: string; price: string; until: string }) => ({
    subject: `Confirm your payment for ${about.plan}`,
    paragraphs: [
      `Your bank wants you to confirm your payment for ${about.plan} by ${about.creator} (${about.price}). Your card is fine.`,
      `You have access until ${about.until}. Confirm before then to keep your subscription.`,
    ],
  }),
  trialStarted: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `Your free trial of ${about.plan} has started`,
    paragraphs: [
      `You're trying ${about.plan} by ${about.creator} for free until ${about.date}. After that, it costs ${about.price}.`,
      "We'll remind you three days before it ends. If you cancel before then, you won't be charged.",
    ],
  }),
  trialEnds: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `Your free trial of ${about.plan} ends on ${about.date}`,
    paragraphs: [
      `Your free trial of ${about.plan} by ${about.creator} ends on ${about.date}. After that, it costs ${about.price}.`,
      "To stay subscribed, you don't need to do anything. If you cancel before then, you won't be charged.",
    ],
  }),
  renewal: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `${about.plan} renews on ${about.date}`,
    paragraphs: [
      `Your subscription to ${about.plan} by ${about.creator} renews on ${about.date} for ${about.price}, the same price as when you subscribed.`,
      "To stay subscribed, you don't need to do anything. If you cancel before then, you won't be charged.",
    ],
  }),
  priceRises: (about: { creator: string; plan: string; price: string; newPrice: string; date: string }) => ({
    subject: `Your price for ${about.plan} will change`,
    paragraphs: [
      `${about.creator} is changing the price of ${about.plan}. You pay ${about.price} now. From your first renewal after ${about.date}, you'll pay ${about.newPrice}.`,
      "To stay subscribed at the new price, you don't need to do anything. If you cancel before then, you won't be charged the new price.",
    ],
  }),
  priceFalls: (about: { creator: string; plan: string; price: string; newPrice: string; date: string }) => ({
    subject: `You'll pay less for ${about.plan}`,
    paragraphs: [
      `${about.creator} is changing the price of ${about.plan}. You pay ${about.price} now. From your next renewal, you'll pay ${about.newPrice}.`,
      "You don't need to do anything.",
    ],
  }),
  billingPaused: (about: { creator: string; plan: string; date: string }) => ({
    subject: `${about.creator} has paused billing until ${about.date}`,
    paragraphs: [
      `${about.creator} has paused billing for ${about.plan}. You won't be charged until ${about.date}, and your access stays as it is.`,
      "You don't need to do anything. We'll email you before billing resumes.",
    ],
  }),
  billingResumes: (about: { creator: string; plan: string; price: string; date: string; payment: string }) => ({
    subject: `${about.creator} resumes billing on ${about.date}`,
    paragraphs: [
      `${about.creator} resumes billing for ${about.plan} on ${about.date}. Your next payment is due on ${about.payment} (${about.price}).`,
      "To stay subscribed, you don't need to do anything. If you cancel before then, you won't be charged.",
    ],
  }),
  pauseConfirmed: (about: { creator: string; plan: string; from: string; until: string }) => ({
    subject: `Your subscription to ${about.plan} pauses on ${about.from}`,
    paragraphs: [
      `You keep access to ${about.plan} by ${about.creator} until ${about.from}. After that, you have no access and pay nothing${about.until && ` until ${about.until}`}.`,
      "We'll email you a week before it resumes. You can resume earlier, or cancel, at any time.",
    ],
  }),
  pauseEnds: (about: { creator: string; plan: string; price: string; date: string }) => ({
    subject: `Your subscription to ${about.plan} resumes on ${about.date}`,
    paragraphs: [
      `Your pause ends on ${about.date}. Then you have access to ${about.plan} by ${about.creator} again, and we charge your card (${about.price}).`,
      "To stay subscribed, you don't need to do anything. If you cancel before then, you won't be charged.",
    ],
  }),
  manage: 'View your subscriptions',
  sessions: 'View your sessions',
  gifts: 'View your gifts',
  library: 'Open your library',
  receipts: 'View your receipts',
  confirm: 'Confirm with your bank',
  closing: "You're getting this because of a payment on your account. Manage emails in Settings.",
} as const
